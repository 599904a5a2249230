; Every way in which a relation gives or leaves open the state after the step.
(set-logic LIA)
(set-info :source "written by hand")
(declare-sort Loc 0)
(declare-const start Loc)
(declare-const loop Loc)
(declare-fun |the end| () Loc)
(assert (distinct start loop |the end|))

(define-fun cfg_init ((pc Loc) (src Loc) (rel Bool)) Bool (and (= pc src) rel))
(define-fun cfg_trans2 ((pc Loc) (src Loc) (pc1 Loc) (dst Loc) (rel Bool)) Bool
  (and (= pc src) (= pc1 dst) rel))
(define-fun cfg_trans3 ((pc Loc) (exit Loc) (pc1 Loc) (call Loc) (pc2 Loc) (return Loc) (rel Bool)) Bool
  (and (= pc exit) (= pc1 call) (= pc2 return) rel))

(define-fun init_main ((at Loc) (a Int) (b Int)) Bool
  (cfg_init at start (and (>= a 0) (not (= a (* 2 b))))))

(define-fun next_main ((pc Loc) (x Int) (y Int) (pc1 Loc) (x1 Int) (y1 Int)) Bool
  (or
    ; values, one of them solved for
    (cfg_trans2 pc start pc1 loop (and (= x1 (+ x 1)) (= (- y y1) (* 3 x1))))
    ; y1 is open, x1 is between bounds
    (cfg_trans2 pc loop pc1 loop (and (> x 0) (< x x1) (<= x1 (+ x 10)) (= y1 y1)))
    ; twice x1 is y, which not every y has a solution for
    (cfg_trans2 pc loop pc1 loop (and (= (* 2 x1) y) (= y1 y)))
    ; existentials that have a value, and one that has not
    (cfg_trans2 pc loop pc1 loop (exists ((n Int) (m Int) (k Int))
      (and (= n (+ x y)) (= m 5) (= x1 (+ n m k)) (distinct k 0) (= y1 (* n n)))))
    ; a disjunction stays one guard
    (cfg_trans2 pc loop pc1 loop (and (= y1 y) (or (= x1 0) (and (< x 0) (= x1 (- x))))))
    ; let, ite, div, mod, abs, nested exists
    (cfg_trans2 pc loop pc1 |the end| (let ((half (div x 2)) (odd (= (mod x 2) 1)))
      (and (= x1 (ite odd (+ half 1) half)) (=> odd (> y 0)) (exists ((n Int)) (= y1 (abs (- n y)))))))
    ; nothing can satisfy this one
    (cfg_trans2 pc loop pc1 |the end| (and (= (* 2 x1) 1) (= y1 -7)))
    (or (cfg_trans2 pc |the end| pc1 |the end| true) false)
  ))
