/** The folder of the panel in that of a website, beside the document root. */
export const panelFolder = (domain: string): string => `sites/${domain}/.hostreeve-wordpress`
