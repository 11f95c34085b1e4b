(module
  (import "" "memory" (memory 1))
  ;; out[r] = dot(codes[r], query) for each of `rows` rows of `bytes` 8-bit codes (a multiple of 16); the query has 16-bit codes
  (func (export "scan") (param $row i32) (param $rows i32) (param $query i32) (param $bytes i32) (param $out i32)
    (local $at i32) (local $end i32) (local $q i32) (local $v v128) (local $a v128) (local $b v128)
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $rows)))
        (local.set $a (v128.const i32x4 0 0 0 0))
        (local.set $b (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $row))
        (local.set $q (local.get $query))
        (local.set $end (i32.add (local.get $row) (local.get $bytes)))
        (loop $sixteen
          (local.set $v (v128.load (local.get $at)))
          (local.set $a (i32x4.add (local.get $a)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $v)) (v128.load (local.get $q)))))
          (local.set $b (i32x4.add (local.get $b)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $v)) (v128.load offset=16 (local.get $q)))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (br_if $sixteen (i32.lt_u (local.get $at) (local.get $end))))
        (local.set $a (i32x4.add (local.get $a) (local.get $b)))
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $a)) (i32x4.extract_lane 1 (local.get $a)))
            (i32.add (i32x4.extract_lane 2 (local.get $a)) (i32x4.extract_lane 3 (local.get $a)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $row (local.get $end))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $next)))))
