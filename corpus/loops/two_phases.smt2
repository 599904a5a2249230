; The first loop ends always; what it leaves behind lets the second go on forever.
(declare-sort Loc 0)
(declare-const start Loc)
(declare-const first Loc)
(declare-const second Loc)
(assert (distinct start first second))
(define-fun cfg_init ((pc Loc) (src Loc) (rel Bool)) Bool (and (= pc src) rel))
(define-fun cfg_trans2 ((pc Loc) (src Loc) (pc1 Loc) (dst Loc) (rel Bool)) Bool
  (and (= pc src) (= pc1 dst) rel))
(define-fun init_main ((pc Loc) (x Int) (y Int)) Bool (cfg_init pc start true))
(define-fun next_main ((pc Loc) (x Int) (y Int) (pc1 Loc) (x1 Int) (y1 Int)) Bool (or
  (cfg_trans2 pc start pc1 first (and (> x 10) (= y 0) (= x1 x) (= y1 y)))
  (cfg_trans2 pc first pc1 first (and (> x 0) (= x1 (- x 1)) (= y1 (+ y 1))))
  (cfg_trans2 pc first pc1 second (and (<= x 0) (= x1 x) (= y1 y)))
  (cfg_trans2 pc second pc1 second (and (> y x) (= x1 (+ x 1)) (= y1 (+ y 2))))))
