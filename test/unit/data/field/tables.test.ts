import { describe, expect, it } from 'vitest';
import { CHEAPEST_DEAL_FIELDS, DEAL_FIELDS } from '../../../../data/field/deal.ts';
import { CONTENT_FIELDS, META_DATA_FIELDS } from '../../../../data/field/field.ts';
import { GIFT_IMAGE_KEYS, IMAGE_KEYS, imageKey, MEDIA_TYPE, SIZE_BOX } from '../../../../data/field/image.ts';
import { SPEC_FIELDS, SPEC_KEYS } from '../../../../data/field/spec.ts';

/** The words of a list in prose. */
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

describe('the fields of a product', () => {
  it('are the 25 attributes of specs, under their words (spec §2.8, §4.2)', () => {
    expect(SPEC_FIELDS.map(({ word }) => word)).toEqual(
      words(`os family-os weight size height width depth screen-size screen-pixel-density screen-resolution sim-type
        display-type handset-style camera-front camera-back camera-flash battery-type battery-capacity chipset gpu cpu
        nfc sensors fm-radio 4g`),
    );
    expect(SPEC_KEYS).toEqual(
      words(`os familyOs weight size height width depth screenSize screenPixelDensity screenResolution simType
        displayType handsetStyle cameraFront cameraBack cameraFlash batteryType batteryCapacity chipset gpu cpu
        nfc sensors fmRadio 4g`),
    );
  });

  it('are heading and introduction, and the three of metaData (§2.6, §2.7)', () => {
    expect(CONTENT_FIELDS.map(({ word, key }) => [word, key])).toEqual([
      ['heading', 'heading'],
      ['introduction', 'introduction'],
    ]);
    expect(META_DATA_FIELDS.map(({ word, key }) => [word, key])).toEqual([
      ['meta-data-title', 'title'],
      ['meta-data-description', 'description'],
      ['meta-data-keywords', 'keywords'],
    ]);
  });

  it('are 36 pictures: four views, three sizes, three formats (§2.9)', () => {
    expect(IMAGE_KEYS).toHaveLength(36);
    expect(new Set(IMAGE_KEYS).size).toBe(36);
    for (const key of IMAGE_KEYS)
      expect(key).toMatch(/^(?:large|medium|small)(?:Front|Back|Left|Right)Image(?:Webp|Png|Jpg)$/);
    expect(imageKey('large', 'front', 'webp')).toBe('largeFrontImageWebp');
    expect(SIZE_BOX).toEqual({
      large: { width: 200, height: 400 },
      medium: { width: 100, height: 200 },
      small: { width: 60, height: 120 },
    });
    expect(MEDIA_TYPE).toEqual({ webp: 'image/webp', png: 'image/png', jpg: 'image/jpeg' });
  });
});

it('gifts and gift categories have the three large front pictures (§2.11)', () => {
  expect(GIFT_IMAGE_KEYS).toEqual(['largeFrontImageWebp', 'largeFrontImagePng', 'largeFrontImageJpg']);
});

describe('the fields of deals', () => {
  it('are those of the specification (§2.5)', () => {
    expect(DEAL_FIELDS.map(({ key }) => key).toSorted()).toEqual(
      words(`dealType contractName contractLength friendlyContractLength contractSupplierId contractSupplierName
        smallNetworkImage mediumNetworkImage largeNetworkImage largeRetailerImage dataAllowance friendlyDataAllowance
        callAllowance friendlyCallAllowance textAllowance friendlyTextAllowance dealLink condition cashbackType
        cashbackValue totalDealCost supplierId supplierName productUpfrontCost supplierContractPrice giftImg giftName
        productImg productName`).toSorted(),
    );
  });

  it('of cheapestDeal are those of the specification, and both spellings of the currency (§2.10, D11)', () => {
    expect(CHEAPEST_DEAL_FIELDS.map(({ key }) => key).toSorted()).toEqual(
      words(`upfrontProductCost monthlyContractPrice currencyLabel currenyLabel monthlyTextAllowance
        monthlyFriendlyTextAllowance monthlyTextAllowanceLabel monthlyCallAllowance monthlyFriendlyCallAllowance
        monthlyCallAllowanceLabel monthlyDataAllowance monthlyFriendlyDataAllowance monthlyDataAllowanceLabel
        contractLength contractLengthLabel contractSupplierId contractSupplierName contractSupplierLogo
        retailSupplierId retailSupplierName retailSupplierLogo totalContractCost purchaseLink`).toSorted(),
    );
    expect(CHEAPEST_DEAL_FIELDS.filter(({ type }) => type === 'number').map(({ key }) => key)).toEqual([
      'upfrontProductCost',
      'monthlyContractPrice',
      'totalContractCost',
    ]);
  });
});
