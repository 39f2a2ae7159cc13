/** The adapters for CMS exports, as `catalogue.json` names them. */
export const CMS_ADAPTER_NAMES = ['catalogue', 'strapi', 'contentful', 'wordpress'] as const;
