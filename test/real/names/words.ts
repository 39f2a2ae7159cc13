/** Words that shops put into names, by what INPUTS "Matching" says of them. */
export const KNOWN_COLOURS = [
  'Black',
  'White',
  'Blue',
  'Green',
  'Red',
  'Pink',
  'Purple',
  'Gold',
  'Silver',
  'Grey',
  'Yellow',
];
export const SHOP_COLOURS = [
  'Midnight', 'Starlight', 'Ultramarine', 'Graphite', 'Phantom Black', 'Sierra Blue', 'Awesome Violet', 'Obsidian', 'Hazel', 'Cosmic Grey',
  'Titanium Black', 'Natural Titanium', 'Rose Gold', 'Space Grey', 'Jet Black', 'Ocean Blue', 'Mystic Bronze', 'Cloud Navy', 'Lavender',
  'Mint', 'Cream', 'Sage', 'Coral', '(PRODUCT)RED', 'Onyx Black', 'Charcoal', 'Deep Purple', 'Alpine Green', 'Prism White', 'Icy Blue',
]; // prettier-ignore
export const TRADE = ['SIM Free', 'SIM-Free', 'Unlocked', '(Unlocked)', 'Dual SIM', 'Dual-SIM', '(Dual SIM)', 'eSIM', 'SIM Free Unlocked', '- SIM Free', 'sim free', 'Dual SIM Unlocked']; // prettier-ignore
export const NETWORK_NAMES = ['EE', 'O2', 'Vodafone', 'Three'];
export const OPEN_WORDS = [
  'Simfree', 'Smartphone', 'Mobile Phone', 'Handset', 'UK', 'on EE', 'EE', 'Nano SIM', 'Factory Unlocked', 'Single SIM', 'Pay Monthly',
  '(SM-A546B)', 'with 100GB data', '100GB', 'LTE', '4G LTE', '128GB Storage', 'UK Version', 'Global Version', 'Brand New', 'Android', 'Boxed', '[Vodafone]', '(EE Network)', 'Sim', '12 Month Warranty', 'Contract',
]; // prettier-ignore
export const ACCESSORIES = [
  'Case', 'Clear Case', 'Silicone Case with MagSafe', 'Screen Protector', 'Tempered Glass', 'Charger', 'Flip Cover', 'Leather Folio', 'Dock',
  'Replacement Screen', 'Battery', 'Car Kit', 'Camera Lens Protector', 'Dummy', 'with Galaxy Buds2', '+ Watch', 'Bundle', 'and Pixel 7a', '+ Galaxy Watch6', 'Strap', 'Refill',
]; // prettier-ignore
export const EDITIONS = [
  'Olympic Games Edition', 'Enterprise Edition', 'Thom Browne Edition', 'BTS Edition', 'Star Wars Edition', 'McLaren Edition', 'Tactical Edition',
  'Limited Edition', 'Lamborghini Edition', 'Bespoke Edition', 'Explorer Edition', 'Harry Potter Edition', 'Active', 'Sport', 'Developer',
]; // prettier-ignore
export const NOT_PHONES = [
  'Samsung Galaxy Tab S9', 'Samsung Galaxy Tab S9 Ultra 5G', 'Samsung Galaxy Tab A8', 'Samsung Galaxy Watch6 LTE', 'Samsung Galaxy Buds2 Pro',
  'Apple iPad 10.2', 'Apple iPad mini', 'Apple iPad Pro 11', 'Apple Watch SE', 'Apple AirPods Pro', 'Google Pixel Tablet', 'Google Pixel Watch 2',
  'Google Pixel Buds Pro', 'Xiaomi Redmi Pad', 'Xiaomi Redmi Watch 3', 'Xiaomi Pad 6', 'OnePlus Pad', 'OnePlus Watch 2', 'Huawei MatePad 11',
  'Honor Pad X9', 'OPPO Pad Air', 'realme Pad 2', 'Samsung', 'Samsung Galaxy', 'Apple iPhone', 'Xiaomi Redmi', 'Phone', 'Huawei', 'OPPO', 'Honor',
  'Motorola Moto', 'Xiaomi Redmi Note', 'Samsung Galaxy Note', 'Samsung Galaxy Z', 'Refurbished Phone', 'Sony PlayStation 5', 'Fairphone',
]; // prettier-ignore
/** Grades and words that INPUTS "Condition" names, and others that shops use. */
export const NAMED_GRADES = [
  'Pristine', 'Excellent', 'Very Good', 'Good Condition', 'Fair', 'Grade A', 'Grade B', 'Grade C', 'Refurbished', 'Used', 'Pre-owned',
  'Pre Owned', '(Refurbished)', '- Pristine', '(Grade A)', 'Refurbished Grade A', 'Refurbished - Excellent', 'Used - Very Good', '- Fair', 'Used (Grade B)',
]; // prettier-ignore
export const OTHER_GRADES = [
  'Like New', 'As New', 'Good as New', 'Nearly New', 'Renewed', 'Reconditioned', 'Second Hand', 'Ex-Display', 'Certified Pre-Loved', 'Refurb',
  'Excellent Condition', 'Acceptable', 'A Grade', 'Grade A+', 'B-Grade', 'Good', 'Great Condition', 'Open Box', 'Remanufactured', 'Recertified',
]; // prettier-ignore
