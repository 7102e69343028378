import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep } from '../../../test/support/step-suite.ts'
import { until } from '../../../test/support/until.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { standInEngine } from '../../tools/docker/testing/stand-in-engine.ts'
import { scriptFirewalld, standInFirewalld } from '../../tools/firewalld/testing/stand-in.ts'
import { scriptNft, standInKernel } from '../../tools/nftables/testing/stand-in.ts'
import { scriptUfw } from '../../tools/ufw/testing/stand-in.ts'
import type { Containers, Context } from './context.ts'
import { openWebPorts, portsOfPublications } from './publications.ts'

interface Machine {
  readonly published: Set<number>
}

proveStep<Machine>('containers.open-web-ports', {
  machine: () => ({ published: new Set() }),
  open: ({ published }, door) =>
    openWebPorts(
      'containers.open-web-ports',
      door({ published, isFirewallOn: async () => true, isInEffect: async () => true }),
    ),
  look: ({ published }) => [...published],
  withoutHandEdit: 'what is being published is in the memory of the panel alone',
  cases: { 'a new website': { args: { website_id: 7 }, wanted: [7] } },
})

describe('the ports of a website that is being published', () => {
  const kernel = standInKernel()
  const id = 7
  let panel: TestPanel
  let containers: Containers
  /** Called whenever a table of the kernel is read. */
  let onRead = () => {}
  before(async () => {
    panel = await openTestPanel({
      docker: { connection: standInEngine().connection },
      scripts: [
        scriptFirewalld({ ...standInFirewalld(), isActive: false }, () => undefined),
        ([program, verb]) => void (program === 'nft' && verb === 'list' && onRead()),
        scriptNft(kernel),
        scriptUfw,
        ([program]) => (program === 'dockerd' ? { stdout: 'Docker version 20.10.24\n' } : undefined),
      ],
    })
    await panel.start()
    const { context } = panel.routes.find(({ area }) => area.name === 'containers') ?? assert.fail()
    containers = (context as Context).containers
  })
  after(() => panel.close())

  const isOpen = () => /dport \{[^}]*\b80\b[^}]*\}.*"opened tcp"/.test(kernel.tables.get('hostreeve') ?? '')
  const act = () => containers.openWebPorts.act({ website_id: id }, stepRun(null))

  test('are left alone while the firewall is off', async () => {
    await act()
    assert.deepEqual([...containers.published], [])
    assert.equal(kernel.tables.has('hostreeve'), false)
  })

  test('are closed again also if they came while the firewall was being loaded', async () => {
    onRead = () => void containers.published.add(id) // after its look at the ports, and before it renders them
    await panel.store.db.updateTable('firewall_settings').set({ is_enabled: 1 }).execute()
    await until(isOpen)
    onRead = () => {}
    containers.published.delete(id)
    await until(() => !isOpen())
  })

  test('are open in the kernel before the website is stored, and closed where the publication is undone', async () => {
    await act()
    assert.equal(isOpen(), true)
    await containers.openWebPorts.undo({ website_id: id }, null)
    await until(() => !isOpen())
  })

  test('are those of the website once it is stored', async () => {
    const { id: userId } = await panel.person({ username: 'ada' })
    containers.published.add(id)
    assert.equal((await portsOfPublications(containers, containers.websites)).length, 2)
    const stored = await addWebsite(panel, { domain: 'shop.example.com', userId })
    containers.published.delete(id)
    containers.published.add(stored)
    assert.deepEqual(await portsOfPublications(containers, containers.websites), [])
    assert.deepEqual([...containers.published], [])
  })
})
