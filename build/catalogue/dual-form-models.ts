/**
 * Models that are sold both with and without 5G (or 4G), as two phones: the word of a feed is not set aside (INPUTS
 * "Matching", "5G and 4G"). By maker, without the words `Galaxy` and `Moto`; an entry stands for its variants too
 * (`s20` for `S20 Ultra`), and a `*` for the rest of a word.
 */
export const DUAL_FORM_MODELS: Readonly<Record<string, readonly string[]>> = {
  google: list('pixel 4a'),
  honor: list('x6, x6a, x6b, x7, x7b, x7c, x8, x8a, x8b, x9, play 4, magic 4 lite, magic 5 lite, 30, 50 lite, 70 lite, 3c'),
  htc: list('desire 20, desire 21, desire 22, u20, sensation'),
  huawei: list(`mate 20 x, mate 30, mate 40, mate 40e, mate 50, mate x2, p40, p50, nova 6, nova 7, nova 8, nova 9, nova 10,
    nova 11, ascend g6, ascend p1`),
  infinix: list('hot 20, hot 40, hot 50, hot 60, note 12, note 30, note 40, note 50, zero 20, zero 30'),
  lg: list('velvet, v50, g2 mini'),
  motorola: list('g*, atrix, razr, one, z2, z3'),
  nokia: list('105, 106, 108, 110, 130, 150, 215, 220, 225, 230, 235, 2660, 3210, 3310, 5710, 6300, 8000, c12, c32, g42'),
  oneplus: list('7 pro'),
  oppo: list(`a3, a5, a6, a53, a54, a55, a57, a58, a60, a72, a73, a74, a77, a78, a79, a91, a92, a93, a94, a96, a98, f19, f21,
    reno, reno 3, reno 4, reno 5, reno 6, reno 7, reno 8, reno 8t, reno 10, reno 11, reno 11f, reno 12, reno 12f, reno 13,
    reno 13f, find x3 lite`),
  realme: list('5, 7, 7i, 8, 8i, 9, 9i, 10, 11, 12, 13, 14, c55, c65, narzo 30, narzo 50, narzo 60, x50'),
  samsung: list(`a06, a07, a13, a14, a15, a16, a17, a22, a23, a26, a32, a51, a52, a71, f13, f14, j1, m13, m14, m32, m33, s10,
    s20, note 10, note 20, z flip, fold`),
  tcl: list('20, 30, 40, 50, 60'),
  tecno: list('camon 18, camon 19, camon 20, camon 30, camon 40, pova, pova 4, pova 5, pova 6, spark 10, spark 30'),
  vivo: list(`y21, y27, y28, y29, y33s, y35, y36, y52, y53s, y55, y72, y75, y76, y77, y100, y200, v20, v21, v23, v25, v30, v40,
    v50, t1, s1`),
  xiaomi: list(`redmi 9, redmi 10, redmi 10 prime, redmi 12, redmi 13, redmi 13c, redmi 14c, redmi 15, redmi 15c, redmi note 8,
    redmi note 9, redmi note 9s, redmi note 10, redmi note 10s, redmi note 10t, redmi note 11, redmi note 11s, redmi note 11t,
    redmi note 12, redmi note 12s, redmi note 13, redmi note 14, redmi note 14s, redmi note 15, poco m3, poco m4, poco m6,
    poco m7, poco x3, mi 10 lite, mi 11 lite, 11 lite, mix 3`),
  zte: list('axon 10, axon 11, axon 40, blade v40, blade v50, blade v60, blade v70, blade a72'),
};

function list(text: string): readonly string[] {
  return text.split(/,\s+/);
}
