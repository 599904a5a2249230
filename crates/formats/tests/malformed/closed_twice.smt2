(declare-sort Loc 0))
