import type { NginxSite } from '../render-site.ts'

const plain: NginxSite = {
  id: 1,
  domain: 'example.com',
  aliases: [],
  type: 'static',
  root: '/home/ann/sites/example.com/public',
  isSuspended: false,
  certificate: null,
  redirectsToHttps: false,
  hasHsts: false,
}

/** The sites whose golden files are in this folder. */
export const goldenSites: Readonly<Record<string, NginxSite>> = {
  static: plain,
  'static-aliases': { ...plain, id: 2, aliases: ['www.example.com', 'xn--bcher-kva.example'] },
  'static-quoted': { ...plain, id: 3, root: '/home/ann/sites/it "is" {here}; \\ and/public' },
  'static-tls': { ...plain, id: 5, certificate: '5-abc.pem' },
  'static-https': {
    ...plain,
    id: 6,
    aliases: ['www.example.com'],
    certificate: '6-abc.pem',
    redirectsToHttps: true,
    hasHsts: true,
  },
  'static-suspended': { ...plain, id: 4, isSuspended: true },
}
