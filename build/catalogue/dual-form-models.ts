/**
 * Models that are sold both with and without 5G (or 4G), as two phones: the word of a feed is not set aside (INPUTS
 * "Matching", "5G and 4G"). By maker, without the words `Galaxy` and `Moto`. A `*` at the end of a word stands for the
 * rest of it, and a `+` at the end of an entry for its variants too: `note 10 +` is also `Note 10 Ultra`.
 */
export const DUAL_FORM_MODELS: Readonly<Record<string, readonly string[]>> = {
  google: list('pixel 4a'),
  honor: list('x6, x6a, x6b, x7, x7b, x7c, x8, x8a, x8b, x8c, magic 4 lite, 3c, 70 lite, 200 lite'),
  htc: list('desire 20 pro, desire 21 pro, desire 22 pro, u20, sensation'),
  huawei:
    list(`mate 20 x, mate 30, mate 30 pro, mate 40 pro, mate 40e, mate 50 pro, mate x2, p40, p40 lite, p50, p50 pro,
    nova 6, nova 8, nova 8 pro, ascend g6, ascend p1`),
  infinix:
    list(`hot 20, hot 40, hot 50, hot 60, note 12, note 12 pro, note 30, note 30 pro, note 40, note 40 pro, note 50,
    zero 20, zero 30`),
  lg: list('velvet, v50, g2 mini'),
  motorola: list('g* +, atrix, razr, one, z2, z3'),
  nokia: list('105, 106, 108, 110, 130, 150, 215, 220, 225, 230, 235, 2660, 3210, 3310, 5710, 6300, 8000, g42'),
  oneplus: list('7 pro'),
  oppo: list(`a3, a3 pro, a5, a5 pro, a6, a6 pro, a53, a53s, a54, a54s, a55, a57, a57s, a58, a72, a73, a74, a77, a77s, a78,
    a91, a93, a94, f19 pro, f21 pro, reno 3, reno 3 pro, reno 4, reno 4 pro, reno 5, reno 5 lite, reno 6,
    reno 7, reno 7 lite, reno 8, reno 8 pro, reno 8t, reno 11 f, reno 11f, reno 12 f, reno 12f, reno 13 f,
    reno 13f`),
  realme: list(`7, 7i, 8, 9, 9i, 10, 11, 11x, 12, 12x, 13, 14, 14x, c55, c65, c67, c75, narzo 30, narzo 50,
    narzo 60, v5`),
  samsung: list(`a06, a07, a13, a14, a15, a16, a17, a22, a23, a32, a51, a52, a71, f13, f14, j1, m13, m14, m32,
    s10 +, s20 +, note 10 +, note 20 +, z flip, fold`),
  tcl: list('20, 30, 30 plus, 40, 40 nxtpaper, 50, 60'),
  tecno:
    list(`camon 18, camon 19, camon 19 pro, camon 20, camon 20 pro, camon 30, camon 40, pova, pova 4, pova 5, pova 5 pro, pova 6,
    spark 10, spark 30`),
  vivo: list(`y15s, y21, y27, y28, y29, y30, y33s, y35, y36, y52, y52s, y53s, y55, y55s, y72, y73, y75, y76, y76s, y77, y78, y100,
    y200, v17, v20, v21, v21e, v23, v23e, v25, v30 lite, v40 lite, v50 lite, t1, t2, s1`),
  xiaomi:
    list(`redmi 9, redmi 10, redmi 10 prime, redmi 12, redmi 13, redmi 13c, redmi 14c, redmi 15, redmi 15c, redmi a4,
    redmi note 9, redmi note 9 pro, redmi note 9t, redmi note 10 +, redmi note 10s, redmi note 10t, redmi note 11 +,
    redmi note 11s, redmi note 11t, redmi note 12 +, redmi note 12s, redmi note 13 +, redmi note 13s, redmi note 14 +, redmi note 14s,
    redmi note 15, redmi note 15 pro, poco m3 pro, poco m4, poco m4 pro, poco m6, poco m6 pro, poco m7, mi 10 lite, mi 11 lite,
    mi mix 3`),
  zte: list('axon 10 pro, axon 11, axon 40, blade v40, blade v50, blade v60, blade v70, blade a72'),
};

function list(text: string): readonly string[] {
  return text.split(/,\s+/);
}
