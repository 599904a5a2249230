(declare-sort Loc 0)
(declare-const x Int)
