import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openFiles, type Files } from '../../host/files.ts'
import type { Run } from '../../host/run.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { setBan } from './bans.ts'
import { keepTable } from './keep-table.ts'
import { bootFile, loadTable } from './load-table.ts'
import { digestIn, renderTable } from './render-table.ts'
import { scriptNft, type StandInKernel, standInKernel } from './testing/stand-in.ts'

interface Machine {
  readonly files: Files
  readonly kernel: StandInKernel
  readonly run: Run
}

function machine(root: string): Machine {
  const kernel = standInKernel()
  return { files: openFiles(root), kernel, run: scriptedRun(scriptNft(kernel)).run }
}

const textWith = (port: number) => renderTable({ rules: [], always: [port], open: [] })
const load = ({ run }: Machine, text: string) => run(['nft', '-f', '-'], { input: text })
const skip = process.getuid?.() !== 0 && 'only root can give files to root'

proveStep<Machine>('nftables.load-table', {
  machine: (t) => machine(scratchRoot(t)),
  open: ({ files, run }, door) => loadTable({ files: door(files), run: door(run) }),
  look: ({ kernel }) => digestIn(kernel.tables.get('hostreeve') ?? ''),
  runArmed: ({ run }, argv) => run(argv),
  skip,
  cases: {
    'a first table': {
      args: { text: textWith(7070) },
      wanted: digestIn(textWith(7070)),
      handEdit: (on) => load(on, textWith(1)),
    },
    'another table': {
      arrange: async ({ files, ...on }) => {
        await files.makeDirectory('/etc/hostreeve')
        await files.write(bootFile, textWith(1))
        await load({ files, ...on }, textWith(1))
      },
      args: { text: textWith(7070) },
      wanted: digestIn(textWith(7070)),
    },
    'no table': {
      arrange: async ({ files, ...on }) => {
        await files.makeDirectory('/etc/hostreeve')
        await files.write(bootFile, textWith(1))
        await load({ files, ...on }, textWith(1))
      },
      args: { text: null },
      wanted: undefined,
    },
  },
})

proveStep<Machine>('nftables.keep-table', {
  machine: (t) => machine(scratchRoot(t)),
  open: ({ files }, door) => keepTable({ files: door(files) }),
  look: async ({ files }) => [
    (await files.read(bootFile)) ?? null,
    await files.list('/etc/systemd/system'),
    await files.list('/etc/systemd/system/sysinit.target.d'),
  ],
  skip,
  withoutHandEdit: 'the files belong to the panel',
  cases: {
    'a table': {
      arrange: ({ files }) => files.makeDirectory('/etc/systemd/system/sysinit.target.d'),
      args: { text: textWith(7070) },
      wanted: [
        textWith(7070),
        ['hostreeve-firewall.service', 'sysinit.target.d'],
        ['hostreeve-firewall.conf'],
      ],
    },
    'no table': { args: { text: null }, wanted: [null, [], []] },
  },
})

proveStep<Machine>('nftables.set-ban', {
  machine: (t) => machine(scratchRoot(t)),
  open: ({ run }, door) => setBan({ run: door(run) }),
  look: ({ kernel }) => [...kernel.elements],
  withoutHandEdit: 'a ban replaces one that was made by hand',
  cases: {
    'an address for a time': {
      args: { address: '192.0.2.7', seconds: 3600, isBanned: true },
      wanted: [['192.0.2.7', ' timeout 3600s']],
    },
    'the network of an IPv6 address, without an end': {
      args: { address: '2001:db8:0:0::/64', seconds: null, isBanned: true },
      wanted: [['2001:db8::', '']],
    },
    'a release': {
      arrange: (on) =>
        setBan(on).act({ address: '192.0.2.7', seconds: 60, isBanned: true }, {
          before: { was: null },
        } as never),
      args: { address: '192.0.2.7', seconds: null, isBanned: false },
      wanted: [],
    },
  },
})

test('keeps the texts of the last two tables only', { skip }, async (t) => {
  const on = machine(scratchRoot(t))
  const kind = loadTable(on)
  const texts = [1, 2, 3].map(textWith)
  for (const text of texts) {
    const before = await kind.observe({ text })
    await kind.act({ text }, { before } as never)
  }
  const names = texts.slice(1).map((text) => `${digestIn(text)}.nft`)
  assert.deepEqual(await on.files.list('/run/hostreeve-firewall'), names.toSorted())
})
