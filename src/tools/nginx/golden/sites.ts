import type { NginxSite } from '../site.ts'

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
  php: {
    ...plain,
    id: 5,
    type: 'php',
    php: {
      socket: '/run/hostreeve-php/ann-8.2/site-5.sock',
      dataFolders: ['wp-content/uploads', 'uploads'],
      bodyMb: 32,
      seconds: 30,
    },
  },
  'php-cached': {
    ...plain,
    id: 5,
    type: 'php',
    php: {
      socket: '/run/hostreeve-php/ann-8.2/site-5.sock',
      dataFolders: [],
      bodyMb: 32,
      seconds: 30,
      cache: {
        seconds: 600,
        sizeMb: 64,
        paths: ['/wp-admin/', '/wp-login.php'],
        cookies: ['wordpress_logged_in_', 'PHPSESSID'],
        keepsQueries: false,
        generationFile: '/home/ann/sites/example.com/.hostreeve-page-cache',
      },
    },
  },
  proxy: {
    ...plain,
    id: 6,
    type: 'proxy',
    proxy: {
      upstream: { address: '192.0.2.7', port: 3000 },
      bodyMb: 16,
      seconds: 60,
      upgradeSeconds: 3600,
      tls: null,
    },
  },
  'proxy-tls': {
    ...plain,
    id: 9,
    type: 'proxy',
    proxy: {
      upstream: { address: '2001:db8::7', port: 8443 },
      bodyMb: 128,
      seconds: 60,
      upgradeSeconds: 3600,
      tls: { name: 'app.internal', authorities: '/etc/ssl/certs/ca-certificates.crt' },
    },
  },
  'proxy-socket': {
    ...plain,
    id: 7,
    type: 'proxy',
    proxy: {
      upstream: { socket: '/run/app/app.sock' },
      bodyMb: 16,
      seconds: 60,
      upgradeSeconds: 3600,
      tls: null,
    },
    options: {
      isInMaintenance: false,
      redirects: [{ from: '/old "page"', to: 'https://example.com/new', code: 301 }],
      errorPages: [{ code: 502, path: '/502.html' }],
      directives: [{ name: 'add_header', values: ['X-Frame-Options', 'it "is" $host;', 'always'] }],
      protectedFolders: [
        { folder: '/admin/', file: '/etc/nginx/hostreeve/passwords/7-0' },
        { folder: '/', file: '/etc/nginx/hostreeve/passwords/7-1' },
      ],
    },
  },
  'static-maintenance': {
    ...plain,
    id: 8,
    options: {
      isInMaintenance: true,
      redirects: [],
      errorPages: [],
      directives: [],
      protectedFolders: [],
    },
  },
  'static-redirects': {
    ...plain,
    id: 10,
    options: {
      isInMaintenance: false,
      redirects: [
        { from: '/old', to: 'https://example.com/new/', code: 301, isPrefix: true },
        { from: '/a b.c', to: '/d', code: 302, isPrefix: true },
        { from: '/one', to: '/two', code: 308 },
      ],
      errorPages: [],
      directives: [],
      protectedFolders: [],
    },
  },
  'php-hardened': {
    ...plain,
    id: 11,
    type: 'php',
    php: {
      socket: '/run/hostreeve-php/ann-8.2/site-11.sock',
      dataFolders: ['wp-content/uploads'],
      bodyMb: 32,
      seconds: 30,
    },
    options: {
      isInMaintenance: false,
      redirects: [],
      errorPages: [],
      directives: [],
      protectedFolders: [],
      refusedScripts: ['/xmlrpc.php'],
      signInScript: '/wp-login.php',
    },
  },
  'static-suspended': { ...plain, id: 4, isSuspended: true },
}
