;; What searches do to the bits of a segment: 65,536 of them, in 8,192 bytes. Places in memory are given as bytes.
(import "room" "memory" (memory 1 32768 shared))

;; to = one and other; how many are set.
(func (export "both") (param $to i32) (param $one i32) (param $other i32) (result i32)
  (local $at i32) (local $here i64) (local $sum i64)
  (loop $next
    (i64.store (i32.add (local.get $to) (local.get $at))
      (local.tee $here (i64.and
        (i64.load (i32.add (local.get $one) (local.get $at)))
        (i64.load (i32.add (local.get $other) (local.get $at))))))
    (local.set $sum (i64.add (local.get $sum) (i64.popcnt (local.get $here))))
    (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (i32.const 8192))))
  (i32.wrap_i64 (local.get $sum)))

;; to = one and not other; how many are set.
(func (export "without") (param $to i32) (param $one i32) (param $other i32) (result i32)
  (local $at i32) (local $here i64) (local $sum i64)
  (loop $next
    (i64.store (i32.add (local.get $to) (local.get $at))
      (local.tee $here (i64.and
        (i64.load (i32.add (local.get $one) (local.get $at)))
        (i64.xor (i64.load (i32.add (local.get $other) (local.get $at))) (i64.const -1)))))
    (local.set $sum (i64.add (local.get $sum) (i64.popcnt (local.get $here))))
    (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (i32.const 8192))))
  (i32.wrap_i64 (local.get $sum)))

;; to = one or other.
(func (export "either") (param $to i32) (param $one i32) (param $other i32)
  (local $at i32)
  (loop $next
    (i64.store (i32.add (local.get $to) (local.get $at))
      (i64.or
        (i64.load (i32.add (local.get $one) (local.get $at)))
        (i64.load (i32.add (local.get $other) (local.get $at)))))
    (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (i32.const 8192)))))

;; How many are set in both.
(func (export "countBoth") (param $one i32) (param $other i32) (result i32)
  (local $at i32) (local $sum i64)
  (loop $next
    (local.set $sum (i64.add (local.get $sum) (i64.popcnt (i64.and
      (i64.load (i32.add (local.get $one) (local.get $at)))
      (i64.load (i32.add (local.get $other) (local.get $at)))))))
    (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (i32.const 8192))))
  (i32.wrap_i64 (local.get $sum)))

;; Sets the bits of rows: numbers of 16 bits, up to the byte at which they end.
(func (export "addRows") (param $to i32) (param $rows i32) (param $end i32)
  (local $row i32) (local $place i32)
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
      (local.set $row (i32.load16_u (local.get $rows)))
      (local.set $place (i32.add (local.get $to) (i32.shl (i32.shr_u (local.get $row) (i32.const 5)) (i32.const 2))))
      (i32.store (local.get $place) (i32.or (i32.load (local.get $place)) (i32.shl (i32.const 1) (local.get $row))))
      (local.set $rows (i32.add (local.get $rows) (i32.const 2)))
      (br $next))))

;; Sets the bits of those based in places who come far enough. `legs`: pairs of a place and how far is enough, up to the byte at which they end. Of
;; each of the known places `starts` tells in its lower 24 bits where it begins among `rows`, those who come furthest first, and above how far the
;; first comes; `radii` how far each of the rows comes.
(func (export "addNear") (param $to i32) (param $legs i32) (param $end i32) (param $starts i32) (param $places i32) (param $rows i32) (param $radii i32)
  (local $leg i32) (local $at i32) (local $last i32) (local $least i32) (local $row i32) (local $place i32)
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $legs) (local.get $end)))
      (local.set $leg (local.get $legs))
      (local.set $legs (i32.add (local.get $legs) (i32.const 8)))
      (br_if $next (i32.ge_u (i32.load (local.get $leg)) (local.get $places)))
      (local.set $least (i32.load (i32.add (local.get $leg) (i32.const 4))))
      (local.set $place (i32.add (local.get $starts) (i32.shl (i32.load (local.get $leg)) (i32.const 2))))
      (local.set $at (i32.load (local.get $place)))
      (br_if $next (i32.lt_u (i32.shr_u (local.get $at) (i32.const 24)) (local.get $least)))
      (local.set $at (i32.and (local.get $at) (i32.const 0xffffff)))
      (local.set $last (i32.and (i32.load (i32.add (local.get $place) (i32.const 4))) (i32.const 0xffffff)))
      (loop $each
        (br_if $next (i32.ge_u (local.get $at) (local.get $last)))
        (br_if $next (i32.lt_u (i32.load8_u (i32.add (local.get $radii) (local.get $at))) (local.get $least)))
        (local.set $row (i32.load16_u (i32.add (local.get $rows) (i32.shl (local.get $at) (i32.const 1)))))
        (local.set $place (i32.add (local.get $to) (i32.shl (i32.shr_u (local.get $row) (i32.const 5)) (i32.const 2))))
        (i32.store (local.get $place) (i32.or (i32.load (local.get $place)) (i32.shl (i32.const 1) (local.get $row))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $each)))))

;; How many of those based in places have their bits set. As `addNear`, however far they come.
(func (export "countNear") (param $of i32) (param $legs i32) (param $end i32) (param $starts i32) (param $places i32) (param $rows i32) (result i32)
  (local $leg i32) (local $at i32) (local $last i32) (local $row i32) (local $place i32) (local $sum i32)
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $legs) (local.get $end)))
      (local.set $leg (local.get $legs))
      (local.set $legs (i32.add (local.get $legs) (i32.const 8)))
      (br_if $next (i32.ge_u (i32.load (local.get $leg)) (local.get $places)))
      (local.set $place (i32.add (local.get $starts) (i32.shl (i32.load (local.get $leg)) (i32.const 2))))
      (local.set $at (i32.and (i32.load (local.get $place)) (i32.const 0xffffff)))
      (local.set $last (i32.and (i32.load (i32.add (local.get $place) (i32.const 4))) (i32.const 0xffffff)))
      (loop $each
        (br_if $next (i32.ge_u (local.get $at) (local.get $last)))
        (local.set $row (i32.load16_u (i32.add (local.get $rows) (i32.shl (local.get $at) (i32.const 1)))))
        (local.set $place (i32.add (local.get $of) (i32.shl (i32.shr_u (local.get $row) (i32.const 5)) (i32.const 2))))
        (local.set $sum (i32.add (local.get $sum)
          (i32.and (i32.shr_u (i32.load (local.get $place)) (local.get $row)) (i32.const 1))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $each))))
  (local.get $sum))

;; Takes out the bits of those whose number in a column of 32 bits is above the most.
(func (export "keepUpTo") (param $bits i32) (param $column i32) (param $most i32)
  (local $at i32) (local $left i64) (local $kept i64) (local $bit i64)
  (loop $next
    (local.set $left (local.tee $kept (i64.load (i32.add (local.get $bits) (local.get $at)))))
    (block $taken
      (loop $row
        (br_if $taken (i64.eqz (local.get $left)))
        (local.set $bit (i64.and (local.get $left) (i64.sub (i64.const 0) (local.get $left))))
        (local.set $kept (i64.xor (local.get $kept) (i64.shl
          (i64.extend_i32_u (i32.gt_u
            (i32.load (i32.add (local.get $column) (i32.shl
              (i32.add (i32.shl (local.get $at) (i32.const 3)) (i32.wrap_i64 (i64.ctz (local.get $left))))
              (i32.const 2))))
            (local.get $most)))
          (i64.ctz (local.get $left)))))
        (local.set $left (i64.xor (local.get $left) (local.get $bit)))
        (br $row)))
    (i64.store (i32.add (local.get $bits) (local.get $at)) (local.get $kept))
    (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (i32.const 8192)))))
