import type { FieldTexts } from '../../../web/kit/schema-fields.ts'
import type { Backend } from '../model.ts'

const mediaTypes = [
  'text/html',
  'text/css',
  'text/plain',
  'application/javascript',
  'application/json',
  'image/svg+xml',
]
const balances = ['roundrobin', 'leastconn', 'source', 'first', 'random', 'static-rr', 'uri', 'hdr(Host)']

/** The fields that most people set; the others are one click away. */
export const upFront = {
  frontend: ['name', 'mode', 'binds', 'default_backend', 'acls', 'rules', 'redirects'],
  backend: ['name', 'mode', 'balance', 'health_check', 'sticky'],
  server: ['name', 'address', 'port', 'weight', 'ssl', 'backup', 'check'],
} as const

/** Texts of the forms that their schemas do not contain. */
export const backendText: FieldTexts = {
  name: { label: 'Name', hint: 'Such as shop' },
  mode: { label: 'Protocol' },
  balance: { label: 'Balance', choices: balances },
  health_check: {
    label: 'HTTP health check',
    hint: 'Without it, an accepted connection counts as healthy',
  },
  sticky: { label: 'Sticky sessions', hint: '' },
  'sticky.by': { label: 'Identified by' },
  'sticky.cookie': { label: 'Cookie' },
  timeouts: { label: 'Timeouts' },
  'timeouts.value': { hint: 'Such as 30s' },
  forwardfor: { label: 'Send the visitor’s address as X-Forwarded-For', hint: '' },
  compression: { label: 'Compress responses of these media types', hint: '', choices: mediaTypes },
}

export const serverText: FieldTexts = {
  name: { label: 'Name', hint: 'Such as shop1' },
  port: { hint: 'Port 443 always uses TLS' },
  weight: { hint: 'Share of the traffic, 0 to 256; default 1' },
  ssl: { label: 'Use TLS to the server', hint: '' },
  backup: { label: 'Backup: only when the others are down', hint: '' },
  check: { label: 'Health check', hint: '' },
  interval: { when: 'check', label: 'Time between checks', hint: 'Such as 2s' },
  rise: { when: 'check', label: 'Successful checks until it is up' },
  fall: { when: 'check', label: 'Failed checks until it is down' },
  maxconn: { label: 'Maximum connections', hint: 'Further ones wait' },
  verify: { when: 'ssl', label: 'Verify its certificate' },
  sni: {
    when: 'ssl',
    label: 'TLS server name (SNI)',
    hint: '* for the name that the visitor requested',
  },
  cookie: { label: 'Its value in a sticky cookie', hint: '' },
}

export const duplicateText = ({ name, servers }: Backend): FieldTexts => ({
  name: { label: 'Name of the copy', first: `${name}-copy` },
  port: { label: 'Port of its servers', first: servers[0]?.port ?? 80, hint: 'Port 443 always uses TLS' },
})

export const frontendText = (backends: readonly string[], certificates: readonly string[]): FieldTexts => ({
  name: { label: 'Name', hint: 'Such as web' },
  mode: { label: 'Protocol' },
  binds: { label: 'Addresses', hint: 'Where it listens for visitors' },
  'binds.address': { hint: '' },
  'binds.port': { hint: '' },
  'binds.ssl': { label: 'TLS' },
  'binds.certificates': { hint: '', choices: certificates, when: 'ssl' },
  'binds.alpn': { when: 'ssl', label: 'ALPN', hint: '', choices: ['h2,http/1.1', 'http/1.1'] },
  default_backend: {
    label: 'Default backend',
    hint: 'The backend if no rule matches',
    choices: backends,
  },
  'binds.min_tls': { when: 'ssl', label: 'Minimum TLS version', hint: '' },
  'binds.strict_sni': { when: 'ssl', label: 'Reject names without a certificate', hint: '' },
  maxconn: { label: 'Maximum connections' },
  forwardfor: { label: 'Send the visitor’s address as X-Forwarded-For', hint: '' },
  compression: { label: 'Compress responses of these media types', hint: '', choices: mediaTypes },
  timeouts: { label: 'Timeouts' },
  'timeouts.value': { hint: 'Such as 30s' },
  acls: { label: 'Conditions', hint: 'Named conditions for rules' },
  'acls.name': { hint: 'Such as is_api' },
  'acls.criterion': { hint: 'Such as path_beg /api' },
  rules: { label: 'Rules', hint: 'The first match decides' },
  'rules.backend': { hint: '', choices: backends },
  'rules.condition': { hint: 'Such as if is_api' },
  redirects: {
    label: 'Redirects',
    hint: 'HAProxy statements; press Enter after each',
    choices: ['scheme https code 301 unless { ssl_fc }'],
  },
})
