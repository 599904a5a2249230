(declare-sort Loc 0)
(declare-const l0 Loc)
(define-fun cfg_init ((pc Loc) (src Loc) (rel Bool)) Bool (and (= pc src) rel))
(define-fun cfg_trans2 ((pc Loc) (src Loc) (pc1 Loc) (dst Loc) (rel Bool)) Bool
  (and (= pc src) (= pc1 dst) rel))
(define-fun init_main ((pc Loc) (x Int)) Bool (cfg_init pc l0 true))
(define-fun next_main ((pc Loc) (x Int) (pc1 Loc) (x1 Int)) Bool
  (cfg_trans2 pc l0 pc1 l0 (+ x1 1)))
