import { describe, expect, it } from 'vitest';
import type { ProductMatch } from '../../../../build/match/candidates.ts';
import { createProductMatcher } from '../../../../build/match/match-product.ts';
import { ExcludeRules } from '../../../../build/records/exclude.ts';
import { joinRecords } from '../../../../build/records/join-records.ts';
import type { ProductReference } from '../../../../data/record/deal.ts';
import type { Notice } from '../../../../data/report/notice.ts';
import { createLocationFormatter } from '../../../../data/report/source-location.ts';
import { cmsOf, join, ledgerOf, NOW, productsNamed, type ProductParts } from '../join/sample-records.ts';

type Reference = Partial<ProductReference>;

function matchIn(products: readonly unknown[], reference: Reference, exclude: readonly string[] = []): ProductMatch {
  const rules = exclude.map((id) => ({ product: id, reason: 'test' }));
  const { joined } = join(cmsOf({ products }), rules);
  return createProductMatcher(joined)('awin', { feedIds: [], condition: 'new', ...reference });
}

/** The name of the product that `name` matches among `products`, or the code of the refusal. */
function matchName(products: readonly string[], name: string, more: Reference = {}): string {
  const records = productsNamed(products);
  const match = matchIn(records, { name, ...more });
  switch (match.kind) {
    case 'product':
      return records.find(({ id, condition }) => id === match.id && condition === match.condition)?.name ?? '';
    case 'withheld':
      return match.code;
    case 'none':
    case 'contradiction':
      return match.details.code;
  }
}

const PHONES = [
  'Google Pixel 9 128GB | google',
  'Google Pixel 9 256GB | google',
  'Google Pixel 9 Pro 128GB | google',
  'Google Pixel 9 Pro XL 128GB | google',
  'Google Pixel 9 Pro Fold 256GB | google',
  'Google Pixel 8a 128GB | google',
  'Google Pixel 8 128GB | google',
  'iPhone 13 128GB | apple',
  'iPhone 13 Mini 128GB | apple',
  'iPhone 13 Pro 128GB | apple',
  'iPhone 13 Pro Max 128GB | apple',
  'iPhone 14 128GB | apple',
  'iPhone 14 Plus 128GB | apple',
  'iPhone SE (2020) 64GB | apple',
  'iPhone SE (2022) 64GB | apple',
  'iPhone SE 3rd Gen 128GB | apple',
  'iPhone X 64GB | apple',
  'iPhone XR 64GB | apple',
  'Samsung Galaxy S21 128GB | samsung',
  'Samsung Galaxy S21 Plus 128GB | samsung',
  'Samsung Galaxy S21 Ultra 128GB | samsung',
  'Samsung Galaxy S21 FE 128GB | samsung',
  'Samsung Galaxy A14 64GB | samsung',
  'Samsung Galaxy A14 5G 64GB | samsung',
  'Samsung Galaxy Note 10 256GB | samsung',
  'Samsung Galaxy Z Flip5 256GB | samsung',
  'Samsung Galaxy Z Fold5 256GB | samsung',
  'Sony Xperia 1 II 256GB | sony',
  'Sony Xperia 1 III 256GB | sony',
  'Nokia 3310 | nokia',
  'Nokia C2 | nokia',
  'Xiaomi 12 128GB | xiaomi',
  'Xiaomi 12 Pro 128GB | xiaomi',
  'Xiaomi 12T 128GB | xiaomi',
  'Xiaomi Black Shark 4 128GB | xiaomi',
  'Redmi Note 11 Pro 128GB | xiaomi',
  'Oppo A54 64GB | oppo',
  'Honor Magic 8 Pro 256GB | honor',
  'Vodafone Smart 7 | vodafone',
  'Motorola Edge 40 256GB | motorola',
  'Motorola Edge 40 Neo 256GB | motorola',
  'Moto G54 5G 256GB | motorola',
  'OnePlus 12 256GB | one-plus',
  'Nothing Phone (2) 256GB | nothing',
  'Nothing Phone (2a) 256GB | nothing',
  'Fairphone 5 256GB | fairphone',
  'Refurbished Samsung Galaxy S22 128GB | samsung',
];

const nameOf = (phone: string): string => phone.split(' | ')[0] ?? '';

describe('matching by name (INPUTS "Matching")', () => {
  it.each(PHONES.map((phone) => [nameOf(phone)]))('%s is itself', (name) => {
    expect(matchName(PHONES, name, { condition: name.startsWith('Refurbished') ? 'refurbished' : 'new' })).toBe(name);
  });

  it.each([
    // Case, punctuation, spacing.
    ['GOOGLE PIXEL 9 128 gb', 'Google Pixel 9 128GB'],
    ['Google Pixel 9 (128 GB)', 'Google Pixel 9 128GB'],
    ['Samsung Galaxy S21+ 128GB', 'Samsung Galaxy S21 Plus 128GB'],
    ['Galaxy Z Flip 5 256GB', 'Samsung Galaxy Z Flip5 256GB'],
    ['Xiaomi 12 T 128GB', 'Xiaomi 12T 128GB'],
    ['Motorola Moto G 54 5G 256GB', 'Moto G54 5G 256GB'],
    ['iPhone SE 2020 64GB', 'iPhone SE (2020) 64GB'],
    ['iPhone SE (3rd Generation) 128GB', 'iPhone SE 3rd Gen 128GB'],
    // The order of the words.
    ['128GB Galaxy S21 Samsung', 'Samsung Galaxy S21 128GB'],
    // The maker doubled, or missing on either side.
    ['Samsung Samsung Galaxy S21 128GB', 'Samsung Galaxy S21 128GB'],
    ['Galaxy S21 128GB', 'Samsung Galaxy S21 128GB'],
    ['Apple iPhone 13 128GB', 'iPhone 13 128GB'],
    ['Xiaomi Redmi Note 11 Pro 128GB', 'Redmi Note 11 Pro 128GB'],
    ['One-Plus 12 256GB', 'OnePlus 12 256GB'],
    // Known colours.
    ['Google Pixel 9 128GB Obsidian', 'Google Pixel 9 128GB'],
    ['Google Pixel 9 Obsidian 128GB', 'Google Pixel 9 128GB'],
    ['Apple iPhone 13 Midnight 128GB', 'iPhone 13 128GB'],
    ['Apple iPhone 13 128GB (PRODUCT)RED', 'iPhone 13 128GB'],
    ['Samsung Galaxy S21 128GB Phantom Grey', 'Samsung Galaxy S21 128GB'],
    ['Apple iPhone 13 Pro Max 128GB Sierra Blue', 'iPhone 13 Pro Max 128GB'],
    ['Nokia 3310 Black/White', 'Nokia 3310'],
    ['Nokia 3310 Gunmetal Gray', 'Nokia 3310'],
    ['Nokia 3310 Prism Crush White', 'Nokia 3310'],
    ['Nokia 3310 Amethyst', 'Nokia 3310'],
    // Connectivity.
    ['Apple iPhone 13 5G 128GB', 'iPhone 13 128GB'],
    ['Apple iPhone 14 Plus 5G Dual SIM 128GB', 'iPhone 14 Plus 128GB'],
    ['Google Pixel 9 128GB eSIM', 'Google Pixel 9 128GB'],
    ['Moto G54 5G 256GB Mint Green', 'Moto G54 5G 256GB'],
    // The series left out beside the maker.
    ['Motorola G54 5G 256GB', 'Moto G54 5G 256GB'],
    ['Samsung S21 Ultra 128GB', 'Samsung Galaxy S21 Ultra 128GB'],
    ['Apple 13 Pro Max 128GB', 'iPhone 13 Pro Max 128GB'],
    ['Google 8a 128GB', 'Google Pixel 8a 128GB'],
    ['Xiaomi Note 11 Pro 128GB', 'Redmi Note 11 Pro 128GB'],
    // Words that shops write together.
    ['Samsung Galaxy S21FE 128GB', 'Samsung Galaxy S21 FE 128GB'],
    ['iPhone13ProMax 128GB', 'iPhone 13 Pro Max 128GB'],
    ['Samsung Galaxy ZFlip5 256GB', 'Samsung Galaxy Z Flip5 256GB'],
    // RAM beside the storage, in any order.
    ['Google Pixel 9 12GB/128GB', 'Google Pixel 9 128GB'],
    ['Google Pixel 9 12/128GB', 'Google Pixel 9 128GB'],
    ['Google Pixel 9 12GB+128GB', 'Google Pixel 9 128GB'],
    ['Google Pixel 9 12GB + 128GB Obsidian', 'Google Pixel 9 128GB'],
    ['Google Pixel 9 128GB 12GB RAM', 'Google Pixel 9 128GB'],
    ['Google Pixel 9 12GB RAM 128GB', 'Google Pixel 9 128GB'],
    ['Google Pixel 9 (RAM 12GB, 128GB storage)', 'Google Pixel 9 128GB'],
    ['Samsung Galaxy S21+ 8+128GB', 'Samsung Galaxy S21 Plus 128GB'],
    ['Samsung Galaxy S21 128GB + Phantom Black', 'Samsung Galaxy S21 128GB'],
    ['Samsung Galaxy S21 Plus + 128GB', 'Samsung Galaxy S21 Plus 128GB'],
    ['Samsung Galaxy S21+ (8GB/128GB)', 'Samsung Galaxy S21 Plus 128GB'],
    // A storage without its unit.
    ['Samsung Galaxy S21 128 Phantom Grey', 'Samsung Galaxy S21 128GB'],
    ['Samsung Galaxy A14 5G 64', 'Samsung Galaxy A14 5G 64GB'],
    ['Apple iPhone X 64', 'iPhone X 64GB'],
    ['Nothing Phone (2) 256', 'Nothing Phone (2) 256GB'],
    // Words of the trade.
    ['Google Pixel 9 128GB SIM Free', 'Google Pixel 9 128GB'],
    ['Google Pixel 9 128GB Unlocked - Obsidian', 'Google Pixel 9 128GB'],
    ['SIM-Free Google Pixel 9 128GB (Dual SIM)', 'Google Pixel 9 128GB'],
    ['Google Pixel 9 128GB (EE)', 'Google Pixel 9 128GB'],
    ['Google Pixel 9 [O2 UK] 128GB', 'Google Pixel 9 128GB'],
    ['Google Pixel 9 128GB - Vodafone', 'Google Pixel 9 128GB'],
    // The iPhone SE by its year or its generation.
    ['iPhone SE 2nd Gen 64GB', 'iPhone SE (2020) 64GB'],
    ['iPhone SE 2 64GB', 'iPhone SE (2020) 64GB'],
    ['iPhone SE3 64GB', 'iPhone SE (2022) 64GB'],
    ['iPhone SE third generation (2022) 64GB', 'iPhone SE (2022) 64GB'],
    ['iPhone SE 2022 128GB', 'iPhone SE 3rd Gen 128GB'],
    ['Samsung Galaxy S21 5G 128GB', 'Samsung Galaxy S21 128GB'],
    // Siblings that differ by just connectivity.
    ['Samsung Galaxy A14 64GB', 'Samsung Galaxy A14 64GB'],
    ['Samsung Galaxy A14 5G 64GB', 'Samsung Galaxy A14 5G 64GB'],
    ['Samsung Galaxy A14 5G Dual SIM 64GB', 'Samsung Galaxy A14 5G 64GB'],
    ['Samsung Galaxy A14 64GB Black', 'Samsung Galaxy A14 64GB'],
    // Words about the condition that agree with it.
    ['New Google Pixel 9 128GB', 'Google Pixel 9 128GB'],
  ])('%s is %s', (name, expected) => {
    expect(matchName(PHONES, name)).toBe(expected);
  });

  it.each([
    ['Samsung Galaxy S22 128GB'],
    ['Samsung Galaxy S22 128GB Good as New'],
    ['Samsung Galaxy S22 128GB (Refurbished - Grade A)'],
    ['Samsung Galaxy S22 128GB Pre-Owned Phantom Black'],
  ])('%s, refurbished, is the refurbished product', (name) => {
    expect(matchName(PHONES, name, { condition: 'refurbished' })).toBe('Refurbished Samsung Galaxy S22 128GB');
  });

  it.each([
    // Storage.
    ['Google Pixel 9', 'storage missing in the feed'],
    ['Google Pixel 9 512GB', 'another storage'],
    ['Nokia 3310 16GB', 'storage missing in the catalogue'],
    ['Google Pixel 9 64GB/128GB', 'two storages'],
    ['Google Pixel 9 12GB', 'RAM alone'],
    ['Nokia 128', 'a number that may be a storage, and no model'],
    ['Xiaomi 128', 'a number that may be a storage, and no model'],
    ['iPhone 128', 'a number that may be a storage, and no model'],
    // A sign that may mean Plus, and may not.
    ['Samsung Galaxy S21 + 128GB', 'a free-standing +'],
    ['Samsung Galaxy S21 +128GB', 'a + attached to the size'],
    ['Samsung Galaxy S21+128GB', 'a + attached to both'],
    ['Samsung Galaxy S21 + 8GB/128GB', 'a free-standing + before two sizes'],
    ['iPhone 8+128GB', 'a number that may be a RAM'],
    ['128GB Samsung Galaxy S21 + Black', 'a free-standing + after the model'],
    ['Google Pixel 9 128GB (3)', 'a number in brackets is no network'],
    ['Google Pixel 9 128GB (Starphone)', 'a word in brackets that is no network'],
    ['Google Pixel 9 128GB Locked to EE', 'more than a network'],
    ['iPhone SE 2nd Gen (2022) 64GB', 'two generations'],
    ['Google Pixel 9 128TB', 'another unit'],
    // Variants.
    ['Google Pixel 9 Plus 128GB', 'Plus'],
    ['Google Pixel 9 Pro Max 128GB', 'Pro Max'],
    ['Google Pixel 9 XL 128GB', 'XL'],
    ['Google Pixel 9a 128GB', '9a'],
    ['Google Pixel 9 FE 128GB', 'FE'],
    ['iPhone 13 Max 128GB', 'Max'],
    ['iPhone 13 Plus 128GB', 'Plus'],
    ['iPhone 14 Mini 128GB', 'Mini'],
    ['iPhone 14 Pro 128GB', 'Pro'],
    ['iPhone 13 Ultra 128GB', 'Ultra'],
    ['iPhone XS 64GB', 'XS'],
    ['iPhone 13+ 128GB', '+'],
    ['Samsung Galaxy S21 Lite 128GB', 'Lite'],
    ['Samsung Galaxy S21 Ultra FE 128GB', 'Ultra FE'],
    ['Galaxy Z Flip 256GB', 'a number missing'],
    ['Galaxy Z Flip 6 256GB', 'another number'],
    ['Nokia C02', 'a leading zero'],
    ['Moto G54 4G 256GB', '4G for 5G'],
    ['Motorola G54 256GB', '5G missing'],
    ['Xiaomi Note 11 128GB', 'a word missing'],
    // Years and generations.
    ['iPhone SE 64GB', 'no year'],
    ['iPhone SE (2016) 64GB', 'another year'],
    ['iPhone SE 2nd Gen 128GB', 'another generation'],
    ['iPhone SE 4 64GB', 'another number'],
    ['Samsung Galaxy S21 2022 128GB', 'a year'],
    // Roman and arabic numbers.
    ['Sony Xperia 1 256GB', 'no numeral'],
    ['Sony Xperia 1 IV 256GB', 'another numeral'],
    ['Sony Xperia 1 2 256GB', 'arabic for roman'],
    // Slips.
    ['Gogle Pixel 9 128GB', 'a slip in the maker'],
    ['Google Pxel 9 128GB', 'a slip in the series'],
    // Other makers.
    ['Samsung Pixel 9 128GB', 'another maker'],
    ['12 128GB', 'no maker, and no word that names a phone'],
    ['12 Pro 128GB', 'no maker, and only a variant'],
    ['Note 10 256GB', 'no maker, and only a variant'],
    ['Phone (2) 256GB', 'no maker, and a word of any maker'],
    ['Edge 40 256GB', 'no maker, and a word of several makers'],
    ['5 256GB', 'no maker'],
    // Words that are colours elsewhere.
    ['Red Magic 8 Pro 256GB', 'a colour before the model'],
    ['Vodafone Smart Platinum 7', 'a colour within the model'],
    ['Xiaomi Shark 4 128GB', 'a colour missing that is part of the model'],
    ['Xiaomi 12 128GB Black', 'a colour that a name of the maker holds'],
    ['Google Pixel 9 128GB Phantom', 'half a colour'],
    // More than a phone.
    ['Google Pixel 9 128GB + Pixel Buds', 'a bundle'],
    ['Case for Google Pixel 9 128GB', 'an accessory'],
    ['Google Pixel 9 128GB Unlimited Data', 'a plan'],
    // Nothing.
    ['Black', 'a colour alone'],
    ['Samsung', 'a maker alone'],
    ['128GB', 'storage alone'],
    ['-', 'no word'],
  ])('%s is no product: %s', (name) => {
    expect(matchName(PHONES, name)).toBe('unknown-product');
  });

  it('no name of one phone matches another that is alone in the catalogue, but for connectivity', () => {
    const core = (name: string): string => name.replace(/ (?:5G|4G)/, '');
    const wrong = PHONES.map(nameOf).flatMap((name) =>
      PHONES.filter((phone) => core(nameOf(phone)) !== core(name) && matchName([phone], name) === nameOf(phone)).map(
        (phone) => [name, phone],
      ),
    );
    expect(wrong).toEqual([]);
  });
});

describe('products that differ by just what is left over', () => {
  it.each([
    ['Galaxy S20', ['Galaxy S20 4G | samsung', 'Galaxy S20 5G | samsung'], 'unknown-product'],
    // A phone that is not in the CMS may be meant: the pair of one that is sold in both forms.
    ['Galaxy S20', ['Galaxy S20 5G | samsung'], 'unknown-product'],
    ['Galaxy A54', ['Galaxy A54 5G | samsung'], 'unknown-product'],
    ['Galaxy A54 5G', ['Galaxy A54 | samsung'], 'Galaxy A54'],
    ['Galaxy A54 4G', ['Galaxy A54 | samsung'], 'Galaxy A54'],
    ['Galaxy A52 5G', ['Galaxy A52 | samsung'], 'unknown-product'],
    ['Galaxy A52s 5G', ['Galaxy A52s | samsung'], 'Galaxy A52s'],
    ['Pixel 4a 5G', ['Google Pixel 4a | google'], 'unknown-product'],
    ['Pixel 4a', ['Google Pixel 4a 5G | google'], 'unknown-product'],
    ['Redmi Note 13 Pro 5G', ['Xiaomi Redmi Note 13 Pro | xiaomi'], 'unknown-product'],
    ['Moto G 5G', ['Moto G | motorola'], 'unknown-product'],
    // The list names the Redmi 12, and not the Xiaomi 12.
    ['Xiaomi 12 5G 256GB', ['Xiaomi 12 256GB | xiaomi', 'Redmi 12 5G 256GB | xiaomi'], 'Xiaomi 12 256GB'],
    ['Xiaomi 12C 5G', ['Redmi 12C | xiaomi'], 'Redmi 12C'],
    ['Xiaomi 13C 5G', ['Redmi 13C | xiaomi'], 'unknown-product'],
    // A colour at the end is not the word of the model before it.
    ['Nubia Magic 5G 128GB Red', ['Nubia Red Magic 5G 128GB | nubia'], 'unknown-product'],
    ['Nubia Red Magic 5G 128GB Black', ['Nubia Red Magic 5G 128GB | nubia'], 'Nubia Red Magic 5G 128GB'],
    ['Vodafone Smart 7 Platinum', ['Vodafone Smart Platinum 7 | vodafone'], 'unknown-product'],
    ['Apple iPhone 13 64GB (Red)', ['iPhone 13 Red 64GB | apple'], 'iPhone 13 Red 64GB'],
    ['iPhone 13 Pro', ['iPhone 13 | apple'], 'unknown-product'],
    ['Galaxy S10', ['Galaxy S10+ | samsung'], 'unknown-product'],
    ['Galaxy S10 + 128GB', ['Galaxy S10+ 128GB | samsung'], 'unknown-product'],
    ['Galaxy S10 + 128GB', ['Galaxy S10 128GB | samsung'], 'unknown-product'],
    ['Galaxy S10+ 128GB', ['Galaxy S10 128GB | samsung', 'Galaxy S10+ 128GB | samsung'], 'Galaxy S10+ 128GB'],
    ['Redmi Note 13 Pro 5G 8GB+256GB', ['Redmi Note 13 Pro+ 5G 256GB | xiaomi'], 'unknown-product'],
    [
      'Redmi Note 13 Pro 5G 8GB+256GB',
      ['Redmi Note 13 Pro+ 5G 256GB | xiaomi', 'Redmi Note 13 Pro 5G 256GB | xiaomi'],
      'Redmi Note 13 Pro 5G 256GB',
    ],
    // RAM tells products apart only where two differ by it.
    ['Galaxy A71 6GB/128GB', ['Galaxy A71 8GB/128GB | samsung'], 'unknown-product'],
    ['Galaxy A71 128GB', ['Galaxy A71 8GB/128GB | samsung'], 'Galaxy A71 8GB/128GB'],
    ['Galaxy A71 8GB RAM 128GB', ['Galaxy A71 128GB | samsung'], 'Galaxy A71 128GB'],
    ['Galaxy A71 128GB', ['Galaxy A71 8GB/128GB | samsung', 'Galaxy A71 6GB/128GB | samsung'], 'ambiguous-product'],
    [
      'Galaxy A71 6GB/128GB',
      ['Galaxy A71 8GB/128GB | samsung', 'Galaxy A71 6GB/128GB | samsung'],
      'Galaxy A71 6GB/128GB',
    ],
    ['Galaxy A71 6GB/128GB', ['Galaxy A71 8GB/128GB | samsung', 'Galaxy A71 128GB | samsung'], 'unknown-product'],
    // The series left out, where another series of the maker has such a model.
    ['Google 5 32GB', ['Google Pixel 5 32GB | google', 'Google Nexus 5 32GB | google'], 'ambiguous-product'],
    ['Google 5 32GB', ['Google Pixel 5 32GB | google', 'Google Nexus 5 16GB | google'], 'Google Pixel 5 32GB'],
    ['Xiaomi Note 10 128GB', ['Redmi Note 10 128GB | xiaomi'], 'unknown-product'],
    ['Samsung J5', ['Samsung J5 | samsung', 'Samsung Galaxy J5 | samsung'], 'Samsung J5'],
    ['Galaxy S20 4G', ['Galaxy S20 4G | samsung', 'Galaxy S20 5G | samsung'], 'Galaxy S20 4G'],
    ['Galaxy S20 4G', ['Galaxy S20 5G | samsung'], 'unknown-product'],
    ['Galaxy A14 4G', ['Galaxy A14 | samsung', 'Galaxy A14 5G | samsung'], 'unknown-product'],
    ['Galaxy A14 5G', ['Galaxy A14 | samsung'], 'unknown-product'],
    ['Galaxy A14 5G', ['Galaxy A14 | samsung', 'Refurbished Galaxy A14 5G | samsung'], 'unknown-product'],
    ['Galaxy A34 5G', ['Galaxy A34 | samsung', 'Galaxy A14 5G | samsung'], 'Galaxy A34'],
    ['iPhone 13 5G', ['iPhone 13 | apple', 'Galaxy A14 5G | samsung'], 'iPhone 13'],
    ['Galaxy A14 128GB', ['Galaxy A14 64GB | samsung', 'Galaxy A14 5G 128GB | samsung'], 'unknown-product'],
    ['Lumia 630 8GB', ['Lumia 630 Dual SIM 8GB | nokia'], 'Lumia 630 Dual SIM 8GB'],
    ['Galaxy A14 Dual SIM', ['Galaxy A14 | samsung', 'Galaxy A14 Dual SIM | samsung'], 'Galaxy A14 Dual SIM'],
    ['Galaxy A14 eSIM', ['Galaxy A14 Dual SIM | samsung'], 'unknown-product'],
    ['Galaxy A14 LTE', ['Galaxy A14 | samsung'], 'unknown-product'],
    ['iPhone 13 Blue', ['iPhone 13 | apple'], 'iPhone 13'],
    ['iPhone 13 Blue', ['iPhone 13 | apple', 'iPhone 13 Blue | apple'], 'iPhone 13 Blue'],
    ['iPhone 13 Red', ['iPhone 13 Blue | apple'], 'unknown-product'],
    ['iPhone 13', ['iPhone 13 Blue | apple'], 'unknown-product'],
    ['iPhone 13', ['iPhone 13 | apple', 'iPhone 13 | apple'], 'ambiguous-product'],
  ])('%s among %j is %s', (name, products, expected) => {
    expect(matchName(products, name)).toBe(expected);
  });

  it('a withheld product still keeps its deals from its sibling', () => {
    const products = productsNamed(['Galaxy A14 | samsung', 'Galaxy A14 5G | samsung']);
    expect(matchIn(products, { name: 'Galaxy A14' }, ['1'])).toMatchObject({ kind: 'withheld', code: 'excluded' });
    expect(matchIn(products, { name: 'Galaxy A14 5G' }, ['1'])).toMatchObject({ kind: 'product', id: '2' });
  });
});

describe('the colour that the feed declares', () => {
  it.each([
    ['Galaxy S6 Edge 32GB Black Sapphire', 'Black Sapphire', 'Galaxy S6 Edge 32GB'],
    ['Galaxy S6 Edge 32GB Lichen', 'Lichen', 'Galaxy S6 Edge 32GB'],
    ['Lichen Galaxy S6 Edge 32GB', 'Lichen', 'Galaxy S6 Edge 32GB'],
    ['Galaxy S6 Edge 32GB Lichen', undefined, 'unknown-product'],
    ['Galaxy S6 Edge 32GB Lichen', 'Moss', 'unknown-product'],
    // What a colour column holds by mistake is no colour.
    ['Galaxy S6 Edge 32GB', '64GB Black', 'Galaxy S6 Edge 32GB'],
    ['Galaxy S6 Edge 64GB', '64GB Black', 'unknown-product'],
    ['Galaxy S6 Edge Pro 32GB', 'Pro Black', 'unknown-product'],
    ['Galaxy S6 Edge Plus 32GB', 'Plus', 'unknown-product'],
    ['Galaxy S6 Edge 32GB Duo', 'Duo', 'unknown-product'],
    ['Galaxy S6 Edge Star 32GB', 'Star', 'unknown-product'],
  ])('%s with the colour %s is %s', (name, colour, expected) => {
    const products = ['Galaxy S6 Edge 32GB | samsung', 'Galaxy Star | samsung'];
    expect(matchName(products, name, colour === undefined ? {} : { colour })).toBe(expected);
  });

  it('is a word of the product where the name leaves it out', () => {
    expect(matchName(['iPhone 13 Blue | apple', 'iPhone 13 Red | apple'], 'iPhone 13', { colour: 'Blue' })).toBe(
      'iPhone 13 Blue',
    );
  });
});

describe('a name without its maker', () => {
  it.each([
    // A bare model may be of any maker, also of one that the CMS does not have.
    ['A54 64GB', ['Oppo A54 64GB | oppo'], 'unknown-product'],
    ['12X 128GB', ['Xiaomi 12X 128GB | xiaomi'], 'unknown-product'],
    ['P30 Pro 128GB', ['Huawei P30 Pro 128GB | huawei'], 'unknown-product'],
    ['Passport 32GB', ['Oppo Passport 32GB | oppo'], 'unknown-product'],
    ['Reno 8 Pro 256GB', ['Oppo Reno 8 Pro 256GB | oppo'], 'Oppo Reno 8 Pro 256GB'],
    ['Redmi 12C 64GB', ['Xiaomi Redmi 12C 64GB | xiaomi'], 'Xiaomi Redmi 12C 64GB'],
    ['Xperia 1 V 256GB', ['Sony Xperia 1 V 256GB | sony'], 'Sony Xperia 1 V 256GB'],
    ['Red Magic 6 128GB', ['Nubia Red Magic 6 128GB | nubia'], 'unknown-product'],
    ['Lumia 640', ['Nokia Lumia 640 | nokia', 'Microsoft Lumia 640 | microsoft'], 'ambiguous-product'],
    ['One S 16GB', ['Oppo One S 16GB | oppo'], 'unknown-product'],
    ['A54 64GB', ['A54 64GB | oppo'], 'unknown-product'],
    ['Galaxy A54 64GB', ['Samsung Galaxy A54 64GB | samsung', 'Oppo A54 64GB | oppo'], 'Samsung Galaxy A54 64GB'],
    ['Oppo A54 64GB', ['Oppo A54 64GB | oppo', 'Samsung Galaxy A54 128GB | samsung'], 'Oppo A54 64GB'],
    ['Note', ['Halden Note | halden', 'Wren Note | wren'], 'unknown-product'],
    ['Note', ['Halden Note | halden'], 'unknown-product'],
    ['Note', ['Note | halden'], 'unknown-product'],
    ['Wren Note', ['Halden Note | halden', 'Wren Note | wren'], 'Wren Note'],
    // Without a `manufacturer`, a product has the maker that its name begins with, if the catalogue knows it.
    ['Galaxy A54', ['Samsung Galaxy A54'], 'Samsung Galaxy A54'],
    ['Kestrel K9', ['K9'], 'unknown-product'],
    ['K9', ['Kestrel K9'], 'unknown-product'],
    // A maker without an entry is spelt by its slug.
    ['K9', ['Kestrel K9 | kestrel'], 'unknown-product'],
    ['Kestrel K9', ['K9 | kestrel'], 'K9'],
  ])('%s among %j is %s', (name, products, expected) => {
    expect(matchName(products, name)).toBe(expected);
  });
});

describe('the condition', () => {
  const both = ['Google Pixel 9 | google', 'Refurbished Google Pixel 9 | google'];

  it.each([
    ['Google Pixel 9', 'new', both, 'Google Pixel 9'],
    ['Google Pixel 9', 'refurbished', both, 'Refurbished Google Pixel 9'],
    ['Google Pixel 9 Used', 'refurbished', both, 'Refurbished Google Pixel 9'],
    // A name that contradicts its condition matches nothing: one of the two is wrong.
    ['Refurbished Google Pixel 9', 'new', both, 'contradictory-facts'],
    ['Google Pixel 9 Like New', 'new', both, 'contradictory-facts'],
    ['Brand New Google Pixel 9', 'refurbished', both, 'contradictory-facts'],
    ['New Google Pixel 9 Pristine', 'refurbished', both, 'contradictory-facts'],
    ['Google Pixel 9', 'refurbished', ['Google Pixel 9 | google'], 'unknown-product'],
    ['Google Pixel 9', 'new', ['Refurbished Google Pixel 9 | google'], 'unknown-product'],
  ] as const)('%s, %s, among %j is %s', (name, condition, products, expected) => {
    expect(matchName(products, name, { condition })).toBe(expected);
  });

  it.each([
    ['Nokia P30 New Edition', 'new', 'Nokia P30 New Edition'],
    ['Nokia P30 New Edition', 'refurbished', 'Refurbished Nokia P30 New Edition'],
    ['Nokia P30 New', 'new', 'Nokia P30'],
    ['Refurbished Nokia P30 New Edition', 'new', 'contradictory-facts'],
  ] as const)('%s, %s, is %s: a new edition is a model', (name, condition, expected) => {
    const products = ['Nokia P30', 'Nokia P30 New Edition', 'Refurbished Nokia P30 New Edition'];
    expect(
      matchName(
        products.map((product) => `${product} | nokia`),
        name,
        { condition },
      ),
    ).toBe(expected);
  });

  it('a refusal says that the product exists in the other condition only', () => {
    const match = matchIn(productsNamed(['Google Pixel 9 | google']), { name: 'Pixel 9', condition: 'refurbished' });
    expect(match).toMatchObject({
      kind: 'none',
      details: {
        code: 'unknown-product',
        field: 'productName',
        found: 'Pixel 9',
        expected: 'a refurbished product; 1/new "Google Pixel 9" is only new',
        remedy: 'add the refurbished variant of product 1, or correct the condition in the feed',
      },
      otherVariant: '1/new',
    });
  });

  it('a refusal says how the name contradicts it, regardless of what else the reference holds', () => {
    const match = matchIn(productsNamed(['Google Pixel 9 | google']), { id: '1', name: 'Used Pixel 9' });
    expect(match).toMatchObject({
      kind: 'contradiction',
      details: {
        code: 'contradictory-facts',
        field: 'condition',
        found: 'new, named "Used Pixel 9"',
        expected: 'a condition that agrees with the name, which says refurbished',
      },
    });
  });
});

describe('words about the condition where the feed states none', () => {
  const both = ['Google Pixel 9 | google', 'Refurbished Google Pixel 9 | google'];
  const named = (name: string, more: Reference = {}): string =>
    matchName(both, name, { condition: undefined, ...more });

  it.each([
    'Pristine',
    'Excellent',
    'Very Good',
    'Good',
    'Good Condition',
    'Fair',
    'Grade A',
    'A+ Grade',
    '(Grade B)',
    'Like New',
    'Refurbished',
    'Used',
    'Pre-owned',
    'Renewed',
    'Open Box',
    'Seller Refurbished - Good',
    'Mint Condition',
  ])('%s is not new', (words) => {
    expect(named(`Google Pixel 9 ${words}`)).toBe('missing-field');
    expect(named(`${words} Google Pixel 9`)).toBe('missing-field');
    expect(named(`Google Pixel 9 ${words}`, { conditionWords: 'refurbished' })).toBe('Refurbished Google Pixel 9');
    expect(named(`Google Pixel 9 ${words}`, { condition: 'new', conditionWords: 'refurbished' })).toBe(
      'contradictory-facts',
    );
    expect(named(`Google Pixel 9 ${words}`, { condition: 'refurbished' })).toBe('Refurbished Google Pixel 9');
  });

  it('a name that says nothing is of a new phone', () => {
    expect(named('Google Pixel 9')).toBe('Google Pixel 9');
    expect(named('Brand New Google Pixel 9')).toBe('Google Pixel 9');
  });

  it('another text of the row says it as the name may', () => {
    expect(named('Google Pixel 9', { saysNotNew: true })).toBe('missing-field');
    expect(named('Google Pixel 9', { saysNotNew: true, condition: 'new' })).toBe('contradictory-facts');
    expect(named('New Google Pixel 9', { saysNotNew: true })).toBe('contradictory-facts');
  });

  it('a grade that a phone has in its name is a word of that phone, and a grade of others', () => {
    const products = [
      'Nokia Note Pristine 64GB | nokia',
      'Nokia Note 64GB | nokia',
      'Refurbished Nokia X30 64GB | nokia',
    ];
    expect(matchName(products, 'Nokia Note Pristine 64GB')).toBe('Nokia Note Pristine 64GB');
    expect(matchName(products, 'Nokia Note Pristine 64GB Excellent')).toBe('contradictory-facts');
    expect(matchName(products, 'Nokia X30 64GB Pristine', { condition: 'refurbished' })).toBe(
      'Refurbished Nokia X30 64GB',
    );
  });
});

describe('feed id, then GTIN, then name', () => {
  const products: readonly ProductParts[] = [
    { id: '1', name: 'Pixel 9 128GB', slug: 'a', matches: { feedIds: { awin: ['4511', '62'], other: ['9'] } } },
    { id: '2', name: 'Pixel 9 256GB', slug: 'b', matches: { gtins: ['0840244706500'], feedIds: { awin: ['62'] } } },
    { id: '2', name: 'Refurbished Pixel 9 256GB', slug: 'c', condition: 'refurbished' },
    {
      id: '3',
      name: 'Pixel 8 128GB',
      slug: 'd',
      matches: { names: ['The Pixel (128 GB) of 2023'], feedIds: { awin: ['8'] } },
    },
    { id: '4', name: 'Pixel 7', slug: 'e', matches: { gtins: ['00001234'], names: ['Old Pixel'] } },
    {
      id: '5',
      name: 'Pixel 6',
      slug: 'f',
      matches: { gtins: ['1234'.padStart(8, '0')], names: ['old pixel', 'Sixth'] },
    },
  ].map((parts) => ({ condition: 'new', ...parts }));

  const answer = (reference: Reference): string => {
    const match = matchIn(products, reference);
    if (match.kind === 'product') return `${match.id}/${match.condition}`;
    return match.kind === 'withheld' ? match.code : match.details.code;
  };

  it.each<[string, Reference, string]>([
    ['a feed id', { feedIds: ['4511'] }, '1/new'],
    ['the first feed id that is known', { feedIds: ['77', '4511'] }, '1/new'],
    ['a feed id before a GTIN and a name', { feedIds: ['4511'], name: 'The phone of 2024' }, '1/new'],
    ['a feed id beside the name of another phone', { feedIds: ['4511'], name: 'Pixel 8 128GB' }, 'contradictory-facts'],
    ['a feed id beside the GTIN of another phone', { feedIds: ['4511'], gtin: '0840244706500' }, 'contradictory-facts'],
    ['a feed id beside a stated name of another', { feedIds: ['4511'], name: 'Sixth' }, 'contradictory-facts'],
    ['a GTIN before a name that means none', { feedIds: ['77'], gtin: '0840244706500', name: 'Pixel 9' }, '2/new'],
    ['a GTIN beside the name of another phone', { gtin: '0840244706500', name: 'Pixel 7' }, 'contradictory-facts'],
    ['an id beside the name of another phone', { id: '1', name: 'Pixel 8 128GB' }, 'contradictory-facts'],
    ['an id beside the GTIN of another phone', { id: '1', gtin: '0840244706500' }, 'contradictory-facts'],
    ['an id beside another storage in the name', { id: '3', name: 'Pixel 8 256GB' }, 'contradictory-facts'],
    ['an id beside another storage in its column', { id: '3', storage: '256' }, 'contradictory-facts'],
    ['an id beside the name of a phone that the CMS does not have', { id: '3', name: 'Galaxy S24 256GB' }, '3/new'],
    ['an id beside a name that says too little', { id: '3', name: 'Pixel 8' }, '3/new'],
    ['a name and a storage column', { name: 'Pixel 9', storage: '256 GB' }, '2/new'],
    ['a name beside another storage in its column', { name: 'Pixel 9 256GB', storage: '128GB' }, 'contradictory-facts'],
    [
      'a name beside another colour in its column',
      { name: 'Pixel 9 256GB Black', colour: 'Sky Blue' },
      'contradictory-facts',
    ],
    ['a name beside a colour that another shop calls so', { name: 'Pixel 9 256GB Obsidian', colour: 'Black' }, '2/new'],
    ['a name at last', { feedIds: ['77'], gtin: '99999999', name: 'Pixel 8 128GB' }, '3/new'],
    ['a GTIN without its zeros', { gtin: '840244706500' }, '2/new'],
    ['a GTIN with more zeros, and spaces', { gtin: '00840 2447 06500' }, '2/new'],
    [
      'a GTIN of the phone in the other condition',
      { gtin: '0840244706500', condition: 'refurbished' },
      '2/refurbished',
    ],
    ['a feed id of the phone in the other condition', { feedIds: ['62'], condition: 'refurbished' }, '2/refurbished'],
    [
      'a feed id of a phone that has no such condition',
      { feedIds: ['4511'], condition: 'refurbished' },
      'unknown-product',
    ],
    ['a feed id of two phones', { feedIds: ['62'] }, 'ambiguous-product'],
    ['a feed id of two phones, though the name is known', { feedIds: ['62'], name: 'Pixel 7' }, 'ambiguous-product'],
    ['a feed id of another feed', { feedIds: ['9'] }, 'unknown-product'],
    [
      'a feed id of a model, with the storage of the product',
      { feedIds: ['8'], name: 'Pixel 8 (128 GB, Hazel)' },
      '3/new',
    ],
    ['a feed id of a model, with another storage', { feedIds: ['8'], name: 'Pixel 8 256GB' }, 'contradictory-facts'],
    [
      'a feed id of two phones, one of which has the storage',
      { feedIds: ['62'], name: 'Pixel 9 256GB Porcelain' },
      '2/new',
    ],
    ['a GTIN of two phones', { gtin: '00001234' }, 'ambiguous-product'],
    ['a GTIN of zeros', { gtin: '0000000000000' }, 'unknown-product'],
    ['a GTIN mangled by a spreadsheet', { gtin: '8.40244E+11' }, 'unknown-product'],
    ['a name of `matches`', { name: 'the pixel of 2023 128gb' }, '3/new'],
    ['a name of `matches` with a colour', { name: 'The Pixel (128 GB) of 2023 Hazel' }, 'unknown-product'],
    ['a name of the `matches` of two phones', { name: 'Old Pixel' }, 'ambiguous-product'],
    ['a name of `matches` before the comparison of names', { name: 'Sixth' }, '5/new'],
    ['an id', { id: '3' }, '3/new'],
    ['an id in a condition', { id: '2', condition: 'refurbished' }, '2/refurbished'],
    ['an id without the condition', { id: '3', condition: 'refurbished' }, 'unknown-product'],
    ['an unknown id', { id: '99' }, 'unknown-product'],
    ['an unknown id, though the name is known', { id: '99', name: 'Pixel 8 128GB' }, 'unknown-product'],
    ['nothing', {}, 'unknown-product'],
  ])('%s', (_, reference, expected) => {
    expect(answer(reference)).toBe(expected);
  });
});

describe('what is reported of a product that is not found', () => {
  const products = productsNamed([
    'Google Pixel 9 128GB | google',
    'Google Pixel 9 256GB | google',
    'Nokia 3310 | nokia',
  ]);

  it.each<[string, Reference, object]>([
    [
      'the nearest products by their words, and the line to add',
      { name: 'Google Pixle 9 256GB "Wow"' },
      {
        code: 'unknown-product',
        field: 'productName',
        found: 'Google Pixle 9 256GB "Wow"',
        expected:
          'a product of the catalogue; the nearest are 2/new "Google Pixel 9 256GB", 1/new "Google Pixel 9 128GB"',
        remedy:
          'add the product to the CMS, or "matches": {"names": ["Google Pixle 9 256GB \\"Wow\\""]} to the one of them that is the same phone, if any is',
      },
    ],
    [
      'nothing near',
      { name: 'Zeppelin' },
      { code: 'unknown-product', field: 'productName', found: 'Zeppelin', expected: 'a product of the catalogue' },
    ],
    [
      'nothing near, though storage and variant agree',
      { name: 'Zeppelin 9 Pro 5G 128GB' },
      { expected: 'a product of the catalogue' },
    ],
    ['a long name, cut', { name: `Zeppelin ${'x'.repeat(200)}` }, { found: `Zeppelin ${'x'.repeat(70)}…` }],
    ['a GTIN', { gtin: '12345678' }, { code: 'unknown-product', field: 'gtin', found: '12345678' }],
    ['feed ids', { feedIds: ['1', '2'] }, { code: 'unknown-product', field: 'feedIds', found: '1, 2' }],
    [
      'an id',
      { id: '99' },
      {
        code: 'unknown-product',
        field: 'productId',
        found: '99',
        expected: 'the id of a product',
        remedy: 'add product 99/new to the CMS, or correct the id in the feed',
      },
    ],
  ])('%s', (_, reference, details) => {
    expect(matchIn(products, reference)).toMatchObject({ kind: 'none', details });
  });

  it('candidates are listed when there are two', () => {
    const match = matchIn(productsNamed(['iPhone 13 | apple', 'iPhone 13 | apple']), { name: 'Apple iPhone 13' });
    expect(match).toMatchObject({
      kind: 'none',
      nearest: ['1/new', '2/new'],
      details: {
        code: 'ambiguous-product',
        field: 'productName',
        found: 'Apple iPhone 13',
        expected: 'one product; it may be 1/new "iPhone 13" or 2/new "iPhone 13"',
        remedy: 'add "matches": {"names": ["Apple iPhone 13"]} to the one that is the same phone',
      },
    });
  });

  it.each([
    ['Google Pixle 9 128GB', 'a slip', true],
    ['Google Pixel 9 128GB Prism', 'a colour that is not known', true],
    ['Google Pixel 9 256GB', 'a storage', false],
    ['Google Pixel 9', 'no storage', false],
    ['Google Pixel 9 Pro 128GB', 'Pro', false],
    ['Google Pixel 9 Plus 128GB', 'Plus', false],
    ['Google Pixel 9 Max 128GB', 'Max', false],
    ['Google Pixel 10 128GB', 'a number', false],
  ])('the line for %s names the only phone that is near: %s, so %s', (name, _, isNamed) => {
    const match = matchIn(productsNamed(['Google Pixel 9 128GB | google']), { name });
    const line = `"matches": {"names": ["${name}"]}`;
    expect(match).toMatchObject({
      nearest: ['1/new'],
      details: {
        expected: 'a product of the catalogue; the nearest are 1/new "Google Pixel 9 128GB"',
        remedy: isNamed
          ? `if it is the same phone, add ${line} to product 1/new`
          : `add the product to the CMS, or ${line} to the one of them that is the same phone, if any is`,
      },
    });
  });

  it('a transposed `Pro` gets no line for the phone that is no Pro', () => {
    const two = productsNamed(['Kestrel K9 256GB | kestrel', 'Kestrel K9 Pro 256GB | kestrel']);
    expect(matchIn(two, { name: 'Kestrel K9 Por 256GB' })).toMatchObject({
      nearest: ['1/new', '2/new'],
      details: { remedy: expect.not.stringMatching(/1\/new|2\/new/) as string },
    });
  });

  it('an id that two products of the `matches` claim must be left to one', () => {
    const matches = { feedIds: { awin: ['62'] } };
    const two = [
      { id: '1', name: 'A1 Phone', slug: 'a', condition: 'new', matches },
      { id: '2', name: 'A2 Phone', slug: 'b', condition: 'new', matches },
    ];
    expect(matchIn(two, { feedIds: ['62'] })).toMatchObject({
      details: { code: 'ambiguous-product', remedy: 'leave "62" in the `matches` of one of them' },
    });
  });
});

describe('a product that the CMS has and that is not served', () => {
  const cms = cmsOf({ products: productsNamed(['Google Pixel 9 128GB | google', 'Nokia 3310 | nokia']) });
  const at = (line: number) => ({ source: 'site', file: 'cms/site.json', line });
  const draft: Notice = {
    code: 'unpublished',
    ...at(7),
    record: '3/new',
    field: 'status',
    found: 'draft',
    names: ['pixel-9-pro', 'Google Pixel 9 Pro 128GB'],
    matches: { names: ['P9P'], gtins: ['9520008473336'], feedIds: { awin: ['A-3'] } },
  };
  const broken: Notice = {
    code: 'malformed-field',
    ...at(8),
    record: '4/new',
    field: 'slug',
    expected: 'lower case',
    found: 'A Slug',
    names: ['A Slug', 'Google Pixel 9 Fold 128GB'],
  };

  function matchAmong(leftOut: readonly Notice[], reference: Reference): ProductMatch {
    const ledger = ledgerOf(cms);
    for (const notice of leftOut) {
      ledger.read(notice.source);
      ledger.exclude(notice);
    }
    const joined = joinRecords(cms, new ExcludeRules([], NOW), ledger, createLocationFormatter([]));
    return createProductMatcher(joined)('awin', { feedIds: [], condition: 'new', ...reference });
  }

  const unpublished = {
    code: 'unknown-product',
    expected: 'a product that is served; 3/new "Google Pixel 9 Pro 128GB" is not published (cms/site.json)',
    remedy: 'publish 3/new in the CMS; deals explain 3/new tells where it is',
  };
  const faulty = {
    code: 'unknown-product',
    expected:
      'a product that is served; 4/new "Google Pixel 9 Fold 128GB" is left out (cms/site.json), since its slug should be lower case',
    remedy: 'mend 4/new in the CMS; deals explain 4/new tells where it is',
  };

  it.each<[string, Reference, object]>([
    ['by the name of a draft', { name: 'Google Pixel 9 Pro 128GB' }, { field: 'productName', ...unpublished }],
    [
      'by that name with a colour',
      { name: 'Google Pixel 9 Pro 128GB Black' },
      { field: 'productName', ...unpublished },
    ],
    ['by the id of a draft', { id: '3' }, { field: 'productId', found: '3', ...unpublished }],
    ['by the name of one with a fault', { name: 'Pixel 9 Fold 128GB' }, { field: 'productName', ...faulty }],
    ['by the id of one with a fault', { id: '4' }, { field: 'productId', found: '4', ...faulty }],
    ['by the GTIN of a draft', { gtin: '9520008473336' }, { field: 'gtin', found: '9520008473336', ...unpublished }],
    ['by that GTIN in 14 digits', { gtin: '09520008473336' }, { field: 'gtin', ...unpublished }],
    ['by the feed id of a draft', { feedIds: ['0', 'A-3'] }, { field: 'feedIds', found: 'A-3', ...unpublished }],
    ['by a name that its `matches` state', { name: 'P9P' }, { field: 'productName', found: 'P9P', ...unpublished }],
    [
      'by the GTIN of a draft with a name that none has',
      { gtin: '9520008473336', name: 'Pixel Nine Deluxe' },
      { field: 'gtin', ...unpublished },
    ],
  ])('is told %s, and no other is offered for its deals', (_, reference, details) => {
    expect(matchAmong([draft, broken], reference)).toMatchObject({ kind: 'none', nearest: [], details });
  });

  it('is told by the id of its other condition', () => {
    const leftOut = { ...draft, record: '1/refurbished', names: ['x', 'Refurbished Google Pixel 9 128GB'] };
    const reference = { name: 'Google Pixel 9 128GB', condition: 'refurbished' } as const;
    expect(matchAmong([leftOut], reference)).toMatchObject({
      details: { remedy: 'publish 1/refurbished in the CMS; deals explain 1/refurbished tells where it is' },
    });
    expect(matchAmong([leftOut], { id: '1', condition: 'refurbished' })).toMatchObject({
      leftOut: { key: '1/refurbished' },
    });
  });

  it('is told though its condition could not be read', () => {
    const { names } = draft;
    const leftOut: Notice = { code: 'missing-field', ...at(7), record: '3', field: 'condition', names: names ?? [] };
    expect(matchAmong([leftOut], { id: '3' })).toMatchObject({ leftOut: { key: '3' } });
  });

  it.each<[string, Notice, Reference]>([
    ['in the other condition', { ...draft, record: '3/refurbished' }, { id: '3' }],
    ['of another name', draft, { name: 'Google Pixel 9 XL 128GB' }],
    ['by an id of another feed', { ...draft, matches: { feedIds: { house: ['A-3'] } } }, { feedIds: ['A-3'] }],
    ['by its GTIN in the other condition', draft, { gtin: '9520008473336', condition: 'refurbished' }],
    ['that is a gift', { ...draft, record: '3' }, { id: '3' }],
    ['that is a gift of this name', { ...draft, record: '3' }, { name: 'Google Pixel 9 Pro 128GB' }],
  ])('is not told of one %s', (_, leftOut, reference) => {
    expect(matchAmong([leftOut], reference)).not.toHaveProperty('leftOut');
  });

  it('costs no deal of a product that is served', () => {
    const leftOut = { ...draft, record: '1/new', names: ['x', 'Google Pixel 9 128GB'] };
    expect(matchAmong([leftOut], { id: '1' })).toMatchObject({ kind: 'product', id: '1' });
    expect(matchAmong([leftOut], { name: 'Pixel 9 128GB' })).toMatchObject({ kind: 'product', id: '1' });
  });
});
