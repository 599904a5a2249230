//! Flow on small programs, and what must hold on random ones.

use super::{FunctionFlow, never_read_globals};
use crate::ids::TypedId;
use crate::samples::{LOOPS, parse_sample, random_program};
use crate::{BlockId, Function, FunctionId, Instruction, Operand, Program, VarId};

fn block_ids(numbers: &[u32]) -> Vec<BlockId> {
    numbers.iter().map(|number| BlockId(*number)).collect()
}

fn live_var_numbers(flow: &FunctionFlow, block: u32, index: usize) -> Vec<u32> {
    flow.live_before(BlockId(block), index).iter().map(|var| var.0).collect()
}

fn flow_of(program: &Program, function: u32) -> FunctionFlow {
    FunctionFlow::of_function(&program.functions[FunctionId(function)])
}

#[test]
fn nested_loops_have_their_heads_and_bodies() {
    let flow = flow_of(&parse_sample(LOOPS), 1);
    assert_eq!(flow.successors(BlockId(1)), block_ids(&[2, 6]));
    assert_eq!(flow.predecessors(BlockId(1)), block_ids(&[0, 5]));
    assert!(flow.is_join(BlockId(1)) && !flow.is_join(BlockId(2)));
    let heads: Vec<bool> = (0..7).map(|block| flow.is_loop_head(BlockId(block))).collect();
    assert_eq!(heads, [false, true, false, true, false, false, false]);
    let [outer, inner] = flow.loops() else { panic!("two loops") };
    assert_eq!((outer.head, &outer.body), (BlockId(1), &block_ids(&[1, 2, 3, 4, 5])));
    assert_eq!((inner.head, &inner.body), (BlockId(3), &block_ids(&[3, 4])));
    // The head of the outer loop has a place in its terminator only.
    assert_eq!((outer.span.line, inner.span.line), (3, 4));
}

#[test]
fn irreducible_loops_have_a_head_too() {
    let flow = flow_of(&parse_sample(LOOPS), 3);
    let found: Vec<_> = flow.loops().iter().map(|l| (l.head, l.body.clone())).collect();
    assert_eq!(
        found,
        [
            (BlockId(1), block_ids(&[1, 2])),
            (BlockId(3), block_ids(&[3])),
            // Nothing reaches these two.
            (BlockId(4), block_ids(&[4, 5])),
        ]
    );
    // Without a place in the head or the body there is none.
    assert!(!flow.loops()[0].span.is_known());
}

#[test]
fn what_only_feeds_itself_is_not_live() {
    let flow = flow_of(&parse_sample(LOOPS), 1);
    // i (v0) and j (v1) decide branches, total (v3) may overflow; count and spare do nothing.
    assert_eq!(live_var_numbers(&flow, 1, 0), [0, 3]);
    assert_eq!(live_var_numbers(&flow, 1, 1), [0, 3, 4]);
    assert_eq!(live_var_numbers(&flow, 3, 0), [0, 1, 3]);
    assert_eq!(live_var_numbers(&flow, 4, 2), [0, 1, 3]);
    assert_eq!(live_var_numbers(&flow, 0, 0), [0; 0]);
    assert_eq!(live_var_numbers(&flow, 0, 3), [0, 3]);
    assert_eq!(live_var_numbers(&flow, 6, 0), [0; 0]);
}

#[test]
fn what_a_call_fills_is_not_live_while_it_runs() {
    let flow = flow_of(&parse_sample(LOOPS), 2);
    let during = flow.live_after_call(BlockId(1), 1);
    assert_eq!(during.as_slice(), [VarId(0)]);
    assert!(during.contains(VarId(0)) && !during.contains(VarId(1)) && !during.is_empty());
    assert_eq!(live_var_numbers(&flow, 1, 2), [0, 1]);
    // v1 is overwritten by the call; v3 is never used.
    assert_eq!(live_var_numbers(&flow, 1, 0), [0]);
    assert_eq!(live_var_numbers(&flow, 0, 2), [0, 1, 2]);
}

/// One instruction whose result nobody uses: are its operands live before it?
#[test]
fn operands_are_live_if_the_instruction_can_do_more() {
    let cases = [
        ("v2 = add v0, v1", false),
        ("v2 = add.s v0, v1", true),
        ("v2 = shl v0, v1", true),
        ("v2 = shl v0, i32 31", false),
        ("v2 = lshr v0, i32 32", true),
        ("v2 = udiv v0, v1", true),
        ("v2 = udiv v0, i32 3", false),
        ("v2 = sdiv v0, i32 3", false),
        ("v2 = sdiv v0, i32 -1", true),
        ("v2 = srem v0, i32 0", true),
        ("v2 = xor v0, v1", false),
        ("v2 = popcount v0", false),
        ("v3 = slt v0, v1", false),
        ("v3 = eq v4, ptr 0x0", true),
        ("v2 = select v3, v0, v1", false),
        ("v2 = load v4", true),
        ("v4 = offset v4, v0 * 4", true),
        ("v0 = floattosigned v5", true),
        ("v5 = signedtofloat v0", false),
        ("v5 = fdiv v5, v5", false),
        ("v4 = alloca v0 align 1 \"\"", true),
        ("store v4, v0", true),
        ("assume v3", true),
        ("copy v4, v4, v0", true),
        ("fill v4, i8 0, v0", true),
        ("v2 = call *v4(v0)", true),
        ("v2 = v0", false),
    ];
    for (instruction, expected) in cases {
        let program = parse_sample(&format!(
            "program 1 target 64 entry f0 fn f0 \"\" () -> () {{
               v0 i32 user v1 i32 user v2 i32 user v3 i1 user v4 ptr user v5 f64 user
             b0: {instruction} return () }}"
        ));
        let function = &program.functions[FunctionId(0)];
        let flow = FunctionFlow::of_function(function);
        let mut wanted = Vec::new();
        function.blocks[BlockId(0)].statements[0].instruction.each_operand(|operand| {
            if let Operand::Var(var) = operand {
                wanted.push(var);
            }
        });
        let live = flow.live_before(BlockId(0), 0);
        assert_eq!(wanted.iter().all(|var| live.contains(*var)), expected, "{instruction}");
        assert_eq!(live.is_empty(), !expected, "{instruction}");
    }
}

#[test]
fn globals_that_nothing_reads_are_found() {
    let unread: Vec<u32> =
        never_read_globals(&parse_sample(LOOPS)).iter().map(|global| global.0).collect();
    // g0 is stored to, filled and copied to. g3 is stored to, and points at g2, which is thereby
    // known to someone.
    assert_eq!(unread, [0, 3]);
}

/// The sets are a solution of the equations, position by position.
fn assert_live_is_consistent(function: &Function, flow: &FunctionFlow) {
    for (id, block) in function.blocks.enumerate() {
        let count = block.statements.len();
        for var in function.vars.ids() {
            let after = flow.successors(id).iter().any(|to| flow.live_before(*to, 0).contains(var));
            let mut used = false;
            block.terminator.each_operand(|operand| used |= operand == Operand::Var(var));
            assert_eq!(flow.live_before(id, count).contains(var), after || used);
        }
        for (index, statement) in block.statements.iter().enumerate() {
            let (before, after) = (flow.live_before(id, index), flow.live_before(id, index + 1));
            let dsts = statement.instruction.destination_vars();
            let matters = statement.instruction.has_effect(function)
                || dsts.iter().any(|dst| after.contains(*dst));
            for var in function.vars.ids() {
                let mut used = false;
                statement.instruction.each_operand(|operand| used |= operand == Operand::Var(var));
                let kept = after.contains(var) && !dsts.contains(&var);
                assert_eq!(before.contains(var), kept || (used && matters));
                if matches!(statement.instruction, Instruction::Call { .. }) {
                    assert_eq!(flow.live_after_call(id, index).contains(var), kept);
                }
            }
        }
    }
}

/// Without the heads there is no cycle left.
fn assert_heads_cut_all_cycles(function: &Function, flow: &FunctionFlow) {
    let mut left: Vec<BlockId> = function.blocks.ids().filter(|b| !flow.is_loop_head(*b)).collect();
    loop {
        let before = left.len();
        let now = left.clone();
        left.retain(|block| flow.successors(*block).iter().any(|to| now.contains(to)));
        if left.len() == before {
            break;
        }
    }
    assert!(left.is_empty(), "a cycle in {left:?}");
}

#[test]
fn random_programs_have_consistent_flow() {
    for seed in 0..1_500 {
        let program = random_program(seed);
        for function in program.functions.iter() {
            let flow = FunctionFlow::of_function(function);
            assert_live_is_consistent(function, &flow);
            assert_heads_cut_all_cycles(function, &flow);
            for found in flow.loops() {
                assert!(flow.is_loop_head(found.head) && found.body.contains(&found.head));
                // Each block of a body goes on inside it.
                for block in &found.body {
                    assert!(flow.successors(*block).iter().any(|to| found.body.contains(to)));
                }
            }
            let heads = function.blocks.ids().filter(|block| flow.is_loop_head(*block)).count();
            assert_eq!(heads, flow.loops().len());
            assert!(flow.successors(BlockId::from_index(0)).len() <= function.blocks.len());
        }
    }
}
