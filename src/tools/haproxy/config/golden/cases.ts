import type { ConfigEdit } from '../edits.ts'
import type { ServerSettings } from '../server-line.ts'

/** The real configurations that the edits are tested on, each with the names that the edits use. */
const bases = [
  { base: 'debian', frontend: 'www', backend: 'app', server: 'app1', free: 'app2' },
  { base: 'web', frontend: 'web', backend: 'shop', server: 'shop3', free: 'shop4' },
  { base: 'tls', frontend: 'https', backend: 'app', server: 'app1', free: 'app2' },
  { base: 'tcp', frontend: 'sql', backend: 'galera', server: 'db2', free: 'db3' },
  { base: 'conditional', frontend: 'web', backend: 'app', server: 'a1', free: 'a1' },
  { base: 'listen', frontend: 'front', backend: 'pool', server: 'p2', free: 'p2' },
  { base: 'quoted', frontend: 'quoted', backend: 'main', server: 'm2', free: 'm1' },
  { base: 'named', frontend: 'site', backend: 'nodes', server: 'fixed', free: 'fixed' },
  { base: 'no-end', frontend: 'last', backend: 'end', server: 'e2', free: 'e1' },
  { base: 'crlf', frontend: 'win', backend: 'pool', server: 'w1', free: 'w2' },
] as const

const added: ServerSettings = {
  name: 'fresh',
  address: '198.51.100.7',
  port: 8080,
  weight: 10,
  isBackup: false,
  usesTls: false,
  isChecked: true,
}
const secured: ServerSettings = {
  name: 'secured',
  address: '2001:db8::7',
  port: 443,
  weight: null,
  isBackup: true,
  usesTls: true,
  isChecked: true,
}
const tuned: ServerSettings = {
  ...secured,
  isBackup: false,
  interval: '5s',
  rise: 2,
  fall: 4,
  maxConnections: 200,
  verify: 'required',
  sni: 'str(app.example.com)',
}
const parts = { binds: [{ address: '*', port: 8443, usesTls: false, certificates: [], alpn: null }] }

/** A stick table that counts, or servers in conditional blocks, can only be edited as text. */
const isStickable = (base: string) => base !== 'listen' && base !== 'conditional'

// oxlint-disable-next-line max-lines-per-function -- a table of cases
const edits = (names: (typeof bases)[number]): Readonly<Record<string, ConfigEdit>> => ({
  'add-backend': { do: 'add-backend', name: 'added', mode: 'http', balance: 'roundrobin' },
  'add-server': { do: 'add-server', name: names.backend, server: added },
  'add-tls-server': { do: 'add-server', name: names.backend, server: secured },
  'replace-server': {
    do: 'replace-server',
    name: names.backend,
    replaced: names.server,
    server: { ...added, name: names.server },
  },
  'rename-server': {
    do: 'replace-server',
    name: names.backend,
    replaced: names.free,
    server: { ...secured, name: 'renamed' },
  },
  'remove-server': { do: 'remove-server', name: names.backend, removed: names.free },
  duplicate: { do: 'duplicate-backend', name: 'copy', source: names.backend, port: 8181 },
  'add-frontend': {
    do: 'add-frontend',
    name: 'entry',
    parts: {
      ...parts,
      mode: names.base === 'tcp' ? 'tcp' : 'http',
      timeouts: [{ name: 'client', value: '10s' }],
      defaultBackend: names.backend,
    },
  },
  'edit-frontend': {
    do: 'edit-frontend',
    name: names.frontend,
    parts: {
      binds: [{ address: '127.0.0.1', port: 8444, usesTls: false, certificates: [], alpn: null }],
      maxConnections: 500,
      acls: [{ name: 'from_office', criterion: 'src 198.51.100.0/24' }],
      rules: [{ backend: names.backend, condition: 'if from_office' }],
    },
  },
  'edit-backend': {
    do: 'edit-backend',
    name: names.backend,
    parts: {
      balance: 'leastconn',
      ...(names.base !== 'listen' && { sticky: { by: 'source' as const } }),
      timeouts: [{ name: 'server', value: '45s' }],
      ...(names.base !== 'tcp' && {
        httpCheck: { method: 'GET', path: '/health', host: 'www.example.com', expect: '200-299' },
      }),
    },
  },
  'stick-backend': {
    do: 'edit-backend',
    name: names.backend,
    parts:
      names.base === 'tcp'
        ? { sticky: null, timeouts: [] }
        : {
            ...(isStickable(names.base) && { sticky: { by: 'cookie' as const, cookie: 'LB' } }),
            forwardsAddress: true,
            compression: ['text/html', 'application/json'],
          },
  },
  'tune-server': {
    do: 'replace-server',
    name: names.backend,
    replaced: names.server,
    server: { ...tuned, name: names.server },
  },
  'remove-frontend': { do: 'remove-frontend', name: names.frontend },
})

/** Every golden file: its name, and the base and edit that produce it. */
export const cases: readonly { readonly name: string; readonly base: string; readonly edit: ConfigEdit }[] =
  bases.flatMap((names) =>
    Object.entries(edits(names)).map(([verb, edit]) => ({
      name: `${names.base}.${verb}`,
      base: names.base,
      edit,
    })),
  )
