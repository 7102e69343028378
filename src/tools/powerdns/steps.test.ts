import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { type Host, openHost } from '../../host/index.ts'
import { scriptAccounts, scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import type { PowerdnsApi } from './api.ts'
import { awaitAnswer } from './await-answer.ts'
import { writeConfiguration } from './configuration.ts'
import { configurationPath, schemaPath } from './layout.ts'
import { loadSchema } from './load-schema.ts'
import { settingsPath, writeSettings } from './settings-file.ts'
import { setRecords } from './set-records.ts'
import { setZone } from './set-zone.ts'

interface Sets {
  [key: string]: { name: string; type: string; ttl: number; records: object[] }
}
type Zones = Map<string, { kind: string; masters: string[]; sets: Sets }>

/** The zones of a PowerDNS in memory, as its API reads and writes them. */
function apiOf(zones: Zones): PowerdnsApi {
  const nameIn = (path: string) => /^\/zones\/([^?]+)\.(?:\?|$)/.exec(path)?.[1] ?? ''
  const patch = (sets: Sets, changes: readonly any[]) => {
    for (const { changetype, ...set } of changes) {
      const key = `${set.name} ${set.type}`
      if (changetype === 'DELETE') delete sets[key]
      else sets[key] = set
    }
  }
  return {
    readServer: async () => ({}),
    read: async (path) => {
      const zone = zones.get(nameIn(path))
      const facts = { name: `${nameIn(path)}.`, serial: 1, dnssec: false }
      return zone && { ...facts, ...zone, rrsets: Object.values(zone.sets) }
    },
    write: async ({ method, path, body }) => {
      const sent = body as any
      const name = nameIn(path)
      if (method === 'DELETE') zones.delete(name)
      if (method === 'PUT') Object.assign(zones.get(name)!, { kind: sent.kind, masters: sent.masters })
      if (method === 'PATCH') patch(zones.get(name)!.sets, sent.rrsets)
      if (method !== 'POST') return
      const made = { kind: sent.kind, masters: sent.masters, sets: {} }
      zones.set(sent.name.slice(0, -1), made)
      patch(made.sets, sent.rrsets)
    },
  }
}

const zone = 'example.com'
const set = (name: string, ...contents: string[]) => ({
  ...{ name: `${name}.${zone}.`, type: 'A', ttl: 60 },
  records: contents.map((content) => ({ content, disabled: false })),
})
const text = (name: string, ...contents: string[]) => ({ ...set(name, ...contents), type: 'TXT' })
const keyed = (...sets: ReturnType<typeof set>[]): Sets =>
  Object.fromEntries(sets.map((each) => [`${each.name} ${each.type}`, each]))
const zonesWith = (...sets: ReturnType<typeof set>[]): Zones =>
  new Map([[zone, { kind: 'Native', masters: [], sets: keyed(...sets) }]])

const lookAt = (zones: Zones) =>
  [...zones].map(([name, { kind, sets }]) => [
    `${name} ${kind}`,
    ...Object.values(sets)
      .map(({ name: of, records }) => `${of} ${records.map((one) => (one as any).content).join()}`)
      .toSorted(),
  ])

const editByHand = (zones: Zones) => {
  zones.get(zone)!.sets[`www.${zone}. A`] = set('www', '203.0.113.9')
}

proveStep<Zones>('powerdns.set-records', {
  machine: () => zonesWith(set('www', '192.0.2.1'), set('old', '192.0.2.2')),
  open: (zones, door) => setRecords(door(apiOf(zones))),
  look: lookAt,
  cases: {
    'one replaced, one added and one removed': {
      args: { zone, sets: [set('www', '192.0.2.3', '192.0.2.4'), set('new', '192.0.2.5'), set('old')] },
      wanted: [[`${zone} Native`, `new.${zone}. 192.0.2.5`, `www.${zone}. 192.0.2.3,192.0.2.4`]],
      handEdit: editByHand,
    },
    'a text that differs by case alone, and one of two removed': {
      args: { zone, sets: [text('one', '"abc"'), text('two', '"AbC"')] },
      arrange: (zones) => {
        zones.get(zone)!.sets = keyed(text('one', '"AbC"'), text('two', '"AbC"', '"abc"'))
      },
      wanted: [[`${zone} Native`, `one.${zone}. "abc"`, `two.${zone}. "AbC"`]],
      handEdit: (zones) => {
        zones.get(zone)!.sets[`one.${zone}. TXT`] = text('one', '"ABC"')
      },
    },
  },
})

proveStep<Zones>('powerdns.set-zone', {
  machine: () => new Map(),
  open: (zones, door) => setZone(door(apiOf(zones))),
  look: lookAt,
  cases: {
    created: {
      args: { name: zone, content: { kind: 'Native', masters: [], sets: [set('www', '192.0.2.1')] } },
      wanted: [[`${zone} Native`, `www.${zone}. 192.0.2.1`]],
      handEdit: (zones) => {
        for (const [name, made] of zonesWith(set('www', '203.0.113.9'))) zones.set(name, made)
      },
    },
    'created with texts that differ by case or blanks alone': {
      args: {
        name: zone,
        content: { kind: 'Native', masters: [], sets: [text('www', '"A  b"', '"A b"', '"a b"')] },
      },
      wanted: [[`${zone} Native`, `www.${zone}. "A  b","A b","a b"`]],
    },
    removed: {
      args: { name: zone, content: null },
      arrange: (zones) => {
        for (const [name, made] of zonesWith(set('www', '192.0.2.1'))) zones.set(name, made)
      },
      wanted: [],
      handEdit: editByHand,
    },
  },
})

interface Machine {
  readonly root: string
  readonly host: Host
  readonly services: Map<string, { isActive: boolean; isEnabled: boolean }>
}

async function machineOf(root: string): Promise<Machine> {
  const services = new Map([['pdns', { isActive: true, isEnabled: true }]])
  const accounts = new Map([['pdns', { uid: process.getuid?.() ?? 0 }]])
  const host = openHost({ root, run: scriptedRun(scriptAccounts(accounts), scriptSystemd(services)).run })
  await host.files.makeDirectory('/run/systemd/system')
  await host.files.makeDirectory('/etc/powerdns/pdns.d')
  return { root, host, services }
}

const answering: PowerdnsApi = {
  read: async () => ({}),
  readServer: async () => ({}),
  write: async () => ({}),
}
const settingsIn = ({ root }: Machine) =>
  existsSync(root + configurationPath)
    ? readFileSync(root + configurationPath, 'utf8')
        .split('\n')
        .filter((line) => /^(api-key|webserver-port|gmysql-password|own)/.test(line))
    : []
const former = 'own=1\napi-key=former-key-of-the-api\nwebserver-port=8081\n'

proveStep<Machine>('powerdns.write-configuration', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ host }, door) =>
    writeConfiguration(
      { accounts: host.accounts, files: door(host.files), services: host.services },
      answering,
    ),
  look: settingsIn,
  cases: {
    new: {
      args: { apiKey: 'k'.repeat(32), password: 'p'.repeat(32) },
      wanted: [`gmysql-password=${'p'.repeat(32)}`, `api-key=${'k'.repeat(32)}`, 'webserver-port=8081'],
      handEdit: ({ root }) => writeFileSync(root + configurationPath, 'own=2\n'),
    },
    'another key and port, with lines that were added by hand': {
      args: { apiKey: 'another-key-of-the-api', apiPort: 8099, restarts: true },
      arrange: ({ root }) => writeFileSync(root + configurationPath, former),
      wanted: ['own=1', 'api-key=another-key-of-the-api', 'webserver-port=8099'],
      handEdit: ({ root }) => writeFileSync(root + configurationPath, 'own=2\n'),
    },
  },
})

const rulesPath = settingsPath('rules')
const writeRules = (text: string) => (at: Machine) => writeFileSync(at.root + rulesPath, text)

proveStep<Machine>('powerdns.write-settings', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ host }, door) =>
    writeSettings({ accounts: host.accounts, files: door(host.files), services: host.services }, answering),
  look: ({ root }) =>
    existsSync(root + rulesPath)
      ? readFileSync(root + rulesPath, 'utf8')
          .trim()
          .split('\n')
          .slice(1)
      : null,
  cases: {
    written: {
      args: { file: 'rules', settings: [['edns-subnet-processing', 'yes']] },
      wanted: ['edns-subnet-processing=yes'],
      handEdit: writeRules('# by hand\nedns-subnet-processing=no\n'),
    },
    removed: {
      args: { file: 'rules', settings: [] },
      arrange: writeRules('# Written by Hostreeve.\nedns-subnet-processing=yes\n'),
      wanted: null,
      handEdit: writeRules('# by hand\nedns-subnet-processing=no\n'),
    },
  },
})

proveStep<Machine>('powerdns.switch-program', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ host }, door) =>
    serviceStep(serviceOf(door(host.services), 'pdns'), {
      name: 'powerdns.switch-program',
      title: 'PowerDNS',
      reloads: 'powerdns',
    }),
  look: ({ services }) => services.get('pdns')?.isActive,
  withoutHandEdit: 'it starts and stops a program: there is nothing to edit',
  cases: { stopped: { args: { verb: 'stop' }, wanted: false } },
})

proveStep<object>('powerdns.await-answer', {
  machine: () => ({}),
  open: (_machine, door) => awaitAnswer(door(answering)),
  look: () => 'answering',
  withoutHandEdit: 'it changes nothing',
  cases: { answering: { args: null, wanted: 'answering' } },
})

interface Schema extends Machine {
  readonly tables: string[]
}

const tableNames = Array.from({ length: 7 }, (_, at) => `table${at}`)

proveStep<Schema>('powerdns.load-schema', {
  machine: async (t) => {
    const machine = await machineOf(scratchRoot(t))
    const text = tableNames.map((name) => `CREATE TABLE ${name} (id INT);\n`).join('')
    await machine.host.files.makeDirectory('/usr/share/pdns-backend-mysql/schema')
    await machine.host.files.write(schemaPath, `-- of a test\n${text}`)
    return { ...machine, tables: [] }
  },
  open: ({ host, tables }, door) => {
    const server = door({
      run: async () => [{ tables: tables.length }],
      session: async (_charset: string, statements: readonly { readonly parts: readonly string[] }[]) => {
        for (const { parts } of statements) {
          const name = /^create table (\w+)/i.exec(parts[0] ?? '')?.[1]
          if (name !== undefined) tables.push(name)
        }
        return []
      },
    })
    return loadSchema({
      connection: server,
      connect: { ...host.connect, session: () => server.session },
      socketPath: '/run/mysqld/mysqld.sock',
      files: host.files,
    })
  },
  look: ({ tables }) => [...tables],
  withoutHandEdit: 'only the panel writes the new database',
  cases: {
    'the tables': {
      args: null,
      wanted: tableNames,
      repeats: 'the tables exist then, and the executor repeats no step',
    },
  },
})
