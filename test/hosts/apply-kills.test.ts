import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { poll } from './harness/index.ts'
import { generations, leftovers } from './story/host-state.ts'
import { killAfter, killWhile } from './story/kill.ts'
import { SteadySite } from './story/steady-site.ts'
import { visit } from './story/visit.ts'

const sites = 'etc/nginx/hostreeve/sites'

describe('the configuration of nginx, when the panel is killed while it creates a website', () => {
  let site: SteadySite
  const generation = () => readFileSync(site.at('etc/nginx/hostreeve/generation.conf'), 'utf8')

  before(async () => {
    site = await SteadySite.make('kills')
  })
  beforeEach(() => site.assertServed())
  after(() => site?.remove())

  // What the steps of a creation leave to see from outside, in order: each is a moment to be killed at.
  const moments: Readonly<Record<string, (domain: string, formerGeneration: string) => boolean>> = {
    'its folder is there': (domain) => existsSync(site.at(`home/ada/sites/${domain}`)),
    'its folder is whole': (domain) => existsSync(site.at(`home/ada/sites/${domain}/public`)),
    'its log folder is there': (domain) => existsSync(site.at(`var/log/hostreeve/sites/${domain}`)),
    'its candidate lies beside its place': (domain) =>
      readdirSync(site.at(sites)).some((name) => name.includes(`${domain}.conf.hostreeve-new`)),
    'nginx checks it': () =>
      readdirSync(site.at(sites)).some((name) => name.includes('000-candidate.conf.hostreeve-new')),
    'the new generation is in place': (_domain, former) => generation() !== former,
    'its file is in place': (domain) => existsSync(site.at(`${sites}/${domain}.conf`)),
    'nginx has been told': (domain) =>
      existsSync(site.at(`${sites}/${domain}.conf`)) &&
      !readdirSync(site.at(sites)).some((name) => name.includes('hostreeve-old')),
  }

  for (const [moment, isReached] of Object.entries(moments))
    it(`agrees with the store after a panel that was killed when ${moment}`, async (t) => {
      for (let attempt = 0; attempt < 10; attempt++) {
        const domain = `killed-when-${Object.keys(moments).indexOf(moment)}-${attempt}.example.com`
        const former = generation()
        const isAnswered = await killWhile(
          site.panel,
          () => site.create(domain),
          () => isReached(domain, former),
        )
        await assertHealed(domain)
        if (!isAnswered) return // some moments are a few milliseconds long, and missed at times
      }
      t.diagnostic('missed ten times: it always answered before it was killed')
    })

  it('agrees with the store after a panel that was killed at any of sixteen times', async () => {
    for (let index = 0; index < 16; index++) {
      const domain = `killed-after-${index}.example.com`
      await killAfter(site.panel, () => site.create(domain), index * 20)
      await assertHealed(domain)
    }
  })

  it('never kept a website from being served for more than two seconds', async () => {
    await site.assertAlwaysServed()
  })

  it('keeps a verifiable activity', async () => {
    assert.equal((await site.admin.must('GET', '/api/activity/verify')).ok, true)
  })

  /** Asserts that it is served and listed, or neither, with no other remains. */
  async function assertHealed(domain: string): Promise<void> {
    await poll(`nginx to serve what lies on the disk, after ${domain}`, 5_000, async () => {
      const { onDisk, served } = await generations(site.host)
      return served === onDisk ? true : undefined
    })
    const isListed = (await site.domains()).includes(domain)
    const { status, text } = await visit(site.host, domain)
    assert.equal(
      text.includes(`<h1>${domain}</h1>`),
      isListed,
      `${domain} is ${isListed ? '' : 'not '}listed, and nginx answers ${status}`,
    )
    assert.equal(existsSync(site.at(`${sites}/${domain}.conf`)), isListed)
    assert.equal(existsSync(site.at(`home/ada/sites/${domain}`)), isListed, 'its folder')
    assert.deepEqual(await leftovers(site.host), [])
    await site.assertServed()
  }
})
