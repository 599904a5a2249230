//! Which pointers hold the same address because code hands it on: through memory, by a helper, by a copy of bytes.
//!
//! Where a finding could assume that two pointers lead to different objects, it must not if the program itself makes
//! the one from the other. Within a function [`crate::copies`] sees that. Here are the ways around: `all = list;` in a
//! static variable, `node->owner = list;`, a pointer in an array or a structure, what a helper stores or finds.
//! Pointers are put into classes by unification (Steensgaard): two that may hold one address are in one class, and each
//! class has one class for what lies at each place in its objects. It asks neither when something is stored nor whether
//! it is still there. A helper's parameters are not put together with what is passed, or all that is ever passed to it
//! would be one; what it stores and returns is followed for each call instead ([`build`]).

mod build;
mod own;

use std::collections::{BTreeMap, BTreeSet};

use ouro_model::ids::TypedId as _;
use ouro_model::{FunctionId, Program};

use crate::copies::AddressOrigin;
use crate::limits::LIMITS;
use own::OwnAddress;
pub(crate) use own::{ObjectBytes, ReadPlace};

/// Addresses that may be the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct AddressClass(usize);

/// The classes of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct AddressFlows {
    /// For each function, the number of its first variable; static objects come before all of them.
    first: Vec<usize>,
    parent: Vec<usize>,
    /// Of each class, what lies at a number of bytes from where its addresses lead.
    contents: Vec<BTreeMap<i64, usize>>,
    /// Classes of which some addresses lead further into an object than others.
    interior: Vec<bool>,
    /// Addresses that some object keeps of a place in itself: `list->tail = &list->head`.
    own: BTreeSet<OwnAddress>,
    /// For each parameter of a function, the classes that are found from it, with the way.
    ways: BTreeMap<FunctionId, Vec<ParamWay>>,
}

/// How a function finds an address from one of its parameters: by one link or more, each at some bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
struct ParamWay {
    param: usize,
    links: Vec<i64>,
    class: AddressClass,
}

impl AddressFlows {
    pub(crate) fn of_program(program: &Program) -> AddressFlows {
        let mut flows = AddressFlows::default();
        flows.parent.extend(0..program.globals.len());
        for function in program.functions.iter() {
            flows.first.push(flows.parent.len());
            let next = flows.parent.len();
            flows.parent.extend(next..next + function.vars.len());
        }
        flows.contents.resize(flows.parent.len(), BTreeMap::new());
        flows.interior.resize(flows.parent.len(), false);
        build::unify_program(program, &mut flows);
        for (id, function) in program.functions.enumerate().filter(|(_, one)| one.user) {
            let mut all = Vec::new();
            for (param, var) in function.params.iter().enumerate() {
                let class = flows.class_of(id, AddressOrigin::Var(*var));
                flows.collect_ways(param, class, &mut Vec::new(), &mut all);
            }
            flows.ways.insert(id, all);
        }
        flows
    }

    fn collect_ways(
        &self,
        param: usize,
        class: AddressClass,
        links: &mut Vec<i64>,
        all: &mut Vec<ParamWay>,
    ) {
        if links.len() == LIMITS.flow_links || all.len() > LIMITS.flow_ways {
            return;
        }
        for (at, inner) in &self.contents[class.0] {
            let inner = AddressClass(self.find(*inner));
            links.push(*at);
            all.push(ParamWay { param, links: links.clone(), class: inner });
            self.collect_ways(param, inner, links, all);
            links.pop();
        }
    }

    /// The class of an address of a function.
    pub(crate) fn class_of(&self, function: FunctionId, origin: AddressOrigin) -> AddressClass {
        AddressClass(self.find(self.node(function, origin)))
    }

    /// The class of what lies at some bytes from an address.
    pub(crate) fn class_inside(&self, class: AddressClass, at: i64) -> Option<AddressClass> {
        self.contents[class.0].get(&at).map(|inner| AddressClass(self.find(*inner)))
    }

    /// Whether addresses of a class may lead to different places of one object.
    pub(crate) fn is_interior(&self, class: AddressClass) -> bool {
        self.interior[class.0]
    }

    /// Whether an address is kept further on in an object that a class leads to.
    pub(crate) fn has_contents_behind(&self, class: AddressClass) -> bool {
        self.contents[class.0].keys().any(|at| *at != 0)
    }

    /// What a class of a called function is for a caller that passes addresses some bytes behind those of classes, perhaps
    /// one of several for each parameter.
    pub(crate) fn classes_for_caller(
        &self,
        callee: FunctionId,
        class: AddressClass,
        passed: &[Vec<(AddressClass, i64)>],
    ) -> Vec<AddressClass> {
        let ways = self.ways.get(&callee).map_or(&[][..], Vec::as_slice);
        let through = |way: &ParamWay| -> Vec<AddressClass> {
            let starts = passed.get(way.param).map_or(&[][..], Vec::as_slice).iter();
            let follow = |(class, offset): &(AddressClass, i64)| {
                let (first, rest) = way.links.split_first()?;
                let inside = self.class_inside(*class, offset.saturating_add(*first))?;
                rest.iter().try_fold(inside, |class, at| self.class_inside(class, *at))
            };
            starts.filter_map(follow).collect()
        };
        let found = ways.iter().filter(|way| way.class == class).flat_map(through);
        let mut all: Vec<AddressClass> = found.chain([class]).collect();
        all.sort();
        all.dedup();
        all
    }

    fn node(&self, function: FunctionId, origin: AddressOrigin) -> usize {
        match origin {
            AddressOrigin::Global(id) => id.index(),
            AddressOrigin::Var(var) => self.first[function.index()] + var.index(),
        }
    }

    fn find(&self, mut node: usize) -> usize {
        while self.parent[node] != node {
            node = self.parent[node];
        }
        node
    }

    /// The node for what lies at some bytes from an address.
    fn content(&mut self, node: usize, at: i64) -> usize {
        let root = self.find(node);
        if let Some(inner) = self.contents[root].get(&at) {
            return *inner;
        }
        let inner = self.parent.len();
        self.parent.push(inner);
        self.contents.push(BTreeMap::new());
        self.interior.push(false);
        self.contents[root].insert(at, inner);
        inner
    }

    /// Puts two classes together, and what lies in their objects; whether they were two.
    fn unify(&mut self, one: usize, other: usize) -> bool {
        let mut pending = vec![(one, other)];
        let mut changed = false;
        while let Some((one, other)) = pending.pop() {
            let (keep, lose) = (self.find(one), self.find(other));
            if keep == lose {
                continue;
            }
            changed = true;
            self.parent[lose] = keep;
            self.interior[keep] |= self.interior[lose];
            for (at, inner) in std::mem::take(&mut self.contents[lose]) {
                match self.contents[keep].get(&at) {
                    Some(known) => pending.push((*known, inner)),
                    None => {
                        self.contents[keep].insert(at, inner);
                    }
                }
            }
        }
        changed
    }
}
