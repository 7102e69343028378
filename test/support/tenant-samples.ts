import { existsSync } from 'node:fs'
import { areas } from '../../src/app/areas.ts'
import type { Person, TestPanel } from './panel.ts'

/** Values for path parameters by name. */
export type SampleParams = Readonly<Record<string, string>>

/** What an area provides in `testing/tenant-samples.ts`, so that the test of other tenants can try its endpoints. */
export interface TenantSamples {
  /**
   * Creates objects of the owner, and returns their path parameters. `earlier` contains those of earlier
   * areas, by name.
   */
  readonly params?: (
    panel: TestPanel,
    owner: Person,
    earlier: Readonly<Record<string, SampleParams>>,
  ) => Promise<SampleParams>
  /** Values for fields whose schema alone does not define valid values, so that only the id is refused. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** Reads the samples of every area whose folder has some, in the order of the areas. */
export async function readTenantSamples(): Promise<ReadonlyMap<string, TenantSamples>> {
  const found = new Map<string, TenantSamples>()
  for (const { name } of areas) {
    const url = new URL(`../../src/areas/${name}/testing/tenant-samples.ts`, import.meta.url)
    if (!existsSync(url)) continue
    const module: { readonly samples: TenantSamples } = await import(url.href)
    found.set(name, module.samples)
  }
  return found
}
