;; What searches do to the bits of a segment: 65,536 of them, in 8,192 bytes. Places in memory are given as bytes.
(import "room" "memory" (memory 1 32768 shared))

;; to = one and other; how many are set. Four words at a time here and below, because counting the rounds takes as long as the work.
(func (export "both") (param $to i32) (param $one i32) (param $other i32) (result i32)
  (local $end i32) (local $here i64) (local $sum i64)
  (local.set $end (i32.add (local.get $one) (i32.const 8192)))
  (loop $next
    (i64.store (local.get $to) (local.tee $here (i64.and (i64.load (local.get $one)) (i64.load (local.get $other)))))
    (local.set $sum (i64.add (local.get $sum) (i64.popcnt (local.get $here))))
    (i64.store offset=8 (local.get $to) (local.tee $here (i64.and (i64.load offset=8 (local.get $one)) (i64.load offset=8 (local.get $other)))))
    (local.set $sum (i64.add (local.get $sum) (i64.popcnt (local.get $here))))
    (i64.store offset=16 (local.get $to) (local.tee $here (i64.and (i64.load offset=16 (local.get $one)) (i64.load offset=16 (local.get $other)))))
    (local.set $sum (i64.add (local.get $sum) (i64.popcnt (local.get $here))))
    (i64.store offset=24 (local.get $to) (local.tee $here (i64.and (i64.load offset=24 (local.get $one)) (i64.load offset=24 (local.get $other)))))
    (local.set $sum (i64.add (local.get $sum) (i64.popcnt (local.get $here))))
    (local.set $to (i32.add (local.get $to) (i32.const 32)))
    (local.set $other (i32.add (local.get $other) (i32.const 32)))
    (br_if $next (i32.lt_u (local.tee $one (i32.add (local.get $one) (i32.const 32))) (local.get $end))))
  (i32.wrap_i64 (local.get $sum)))

;; to = one and not other; how many are set.
(func (export "without") (param $to i32) (param $one i32) (param $other i32) (result i32)
  (local $end i32) (local $here i64) (local $sum i64)
  (local.set $end (i32.add (local.get $one) (i32.const 8192)))
  (loop $next
    (i64.store (local.get $to) (local.tee $here (i64.and (i64.load (local.get $one)) (i64.xor (i64.load (local.get $other)) (i64.const -1)))))
    (local.set $sum (i64.add (local.get $sum) (i64.popcnt (local.get $here))))
    (i64.store offset=8 (local.get $to) (local.tee $here (i64.and (i64.load offset=8 (local.get $one)) (i64.xor (i64.load offset=8 (local.get $other)) (i64.const -1)))))
    (local.set $sum (i64.add (local.get $sum) (i64.popcnt (local.get $here))))
    (i64.store offset=16 (local.get $to) (local.tee $here (i64.and (i64.load offset=16 (local.get $one)) (i64.xor (i64.load offset=16 (local.get $other)) (i64.const -1)))))
    (local.set $sum (i64.add (local.get $sum) (i64.popcnt (local.get $here))))
    (i64.store offset=24 (local.get $to) (local.tee $here (i64.and (i64.load offset=24 (local.get $one)) (i64.xor (i64.load offset=24 (local.get $other)) (i64.const -1)))))
    (local.set $sum (i64.add (local.get $sum) (i64.popcnt (local.get $here))))
    (local.set $to (i32.add (local.get $to) (i32.const 32)))
    (local.set $other (i32.add (local.get $other) (i32.const 32)))
    (br_if $next (i32.lt_u (local.tee $one (i32.add (local.get $one) (i32.const 32))) (local.get $end))))
  (i32.wrap_i64 (local.get $sum)))

;; to = one or other.
(func (export "either") (param $to i32) (param $one i32) (param $other i32)
  (local $end i32)
  (local.set $end (i32.add (local.get $one) (i32.const 8192)))
  (loop $next
    (i64.store (local.get $to) (i64.or (i64.load (local.get $one)) (i64.load (local.get $other))))
    (i64.store offset=8 (local.get $to) (i64.or (i64.load offset=8 (local.get $one)) (i64.load offset=8 (local.get $other))))
    (i64.store offset=16 (local.get $to) (i64.or (i64.load offset=16 (local.get $one)) (i64.load offset=16 (local.get $other))))
    (i64.store offset=24 (local.get $to) (i64.or (i64.load offset=24 (local.get $one)) (i64.load offset=24 (local.get $other))))
    (local.set $to (i32.add (local.get $to) (i32.const 32)))
    (local.set $other (i32.add (local.get $other) (i32.const 32)))
    (br_if $next (i32.lt_u (local.tee $one (i32.add (local.get $one) (i32.const 32))) (local.get $end)))))

;; How many are set in both.
(func (export "countBoth") (param $one i32) (param $other i32) (result i32)
  (local $end i32) (local $sum i64)
  (local.set $end (i32.add (local.get $one) (i32.const 8192)))
  (loop $next
    (local.set $sum (i64.add (local.get $sum) (i64.popcnt (i64.and (i64.load (local.get $one)) (i64.load (local.get $other))))))
    (local.set $sum (i64.add (local.get $sum) (i64.popcnt (i64.and (i64.load offset=8 (local.get $one)) (i64.load offset=8 (local.get $other))))))
    (local.set $sum (i64.add (local.get $sum) (i64.popcnt (i64.and (i64.load offset=16 (local.get $one)) (i64.load offset=16 (local.get $other))))))
    (local.set $sum (i64.add (local.get $sum) (i64.popcnt (i64.and (i64.load offset=24 (local.get $one)) (i64.load offset=24 (local.get $other))))))
    (local.set $other (i32.add (local.get $other) (i32.const 32)))
    (br_if $next (i32.lt_u (local.tee $one (i32.add (local.get $one) (i32.const 32))) (local.get $end))))
  (i32.wrap_i64 (local.get $sum)))

;; How many of the rows are set in each of four that lie behind one another: added to four sums.
(func (export "countFour") (param $rows i32) (param $four i32) (param $sums i32)
  (local $end i32) (local $here i64) (local $first i64) (local $second i64) (local $third i64) (local $fourth i64)
  (local.set $end (i32.add (local.get $rows) (i32.const 8192)))
  (loop $next
    (block $none
      (br_if $none (i64.eqz (local.tee $here (i64.load (local.get $rows)))))
      (local.set $first (i64.add (local.get $first) (i64.popcnt (i64.and (local.get $here) (i64.load (local.get $four))))))
      (local.set $second (i64.add (local.get $second) (i64.popcnt (i64.and (local.get $here) (i64.load offset=8192 (local.get $four))))))
      (local.set $third (i64.add (local.get $third) (i64.popcnt (i64.and (local.get $here) (i64.load offset=16384 (local.get $four))))))
      (local.set $fourth (i64.add (local.get $fourth) (i64.popcnt (i64.and (local.get $here) (i64.load offset=24576 (local.get $four)))))))
    (local.set $four (i32.add (local.get $four) (i32.const 8)))
    (br_if $next (i32.lt_u (local.tee $rows (i32.add (local.get $rows) (i32.const 8))) (local.get $end))))
  (i32.store (local.get $sums) (i32.add (i32.load (local.get $sums)) (i32.wrap_i64 (local.get $first))))
  (i32.store offset=4 (local.get $sums) (i32.add (i32.load offset=4 (local.get $sums)) (i32.wrap_i64 (local.get $second))))
  (i32.store offset=8 (local.get $sums) (i32.add (i32.load offset=8 (local.get $sums)) (i32.wrap_i64 (local.get $third))))
  (i32.store offset=12 (local.get $sums) (i32.add (i32.load offset=12 (local.get $sums)) (i32.wrap_i64 (local.get $fourth)))))

;; Writes the rows that are set as numbers of 16 bits, the first first; the byte at which they end.
(func (export "listRows") (param $bits i32) (param $to i32) (result i32)
  (local $at i32) (local $left i64)
  (loop $next
    (local.set $left (i64.load (i32.add (local.get $bits) (local.get $at))))
    (block $taken
      (loop $row
        (br_if $taken (i64.eqz (local.get $left)))
        (i32.store16 (local.get $to) (i32.add (i32.shl (local.get $at) (i32.const 3)) (i32.wrap_i64 (i64.ctz (local.get $left)))))
        (local.set $to (i32.add (local.get $to) (i32.const 2)))
        (local.set $left (i64.and (local.get $left) (i64.sub (local.get $left) (i64.const 1))))
        (br $row)))
    (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (i32.const 8192))))
  (local.get $to))

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
