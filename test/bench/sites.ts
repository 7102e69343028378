import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { type Figure, median } from './figures.ts'
import { makeHome, needsRoot } from './homes.ts'

const around = 11

/** The panel's own part of creating a site, with 1,000 sites there and with none: without the check and the reload of nginx. */
export async function measureSites(_isShort: boolean): Promise<readonly Figure[]> {
  if (!needsRoot('creating sites')) return []
  const home = makeHome()
  const accounts = new Map([['bench', { uid: home.uid, home: home.path }]])
  const scripts = [([program]: readonly string[]) => (program === 'ln' ? {} : undefined)] // the link from the home to its logs
  const panel = await openTestPanel({
    accounts,
    scripts,
    hasNginx: true,
    dataDir: `${home.folder}/data`,
    isMeasured: true,
  })
  try {
    const { token } = await panel.person({ username: 'bench', permissions: ['websites_management'] })
    await create(panel, token, 'warm.example.com')
    const times: number[] = []
    for (let site = 0; site < 1000; site++) times.push(await create(panel, token, `site-${site}.example.com`))
    const [first, last] = [median(times.slice(0, around)), median(times.slice(-around))]
    return [
      {
        what: 'own part of creating the 1,001st site / the first',
        value: last / first,
        unit: 'x',
        bound: 1.5,
        loose: 3,
        detail: `${last.toFixed(1)} ms against ${first.toFixed(1)} ms`,
      },
      { what: 'own part of creating the 1,001st site', value: last, unit: 'ms', bound: 50, loose: 150 },
    ]
  } finally {
    await panel.close()
    home.remove()
  }
}

/** Creates a site and returns how long that took, in milliseconds. */
async function create(panel: TestPanel, token: string, domain: string): Promise<number> {
  const startedAt = performance.now()
  const { status, text } = await panel.request('POST', '/api/websites', {
    as: token,
    body: { domain, type: 'static' },
  })
  if (status !== 201) throw new Error(`creating ${domain} answered ${status}: ${text}`)
  return performance.now() - startedAt
}
