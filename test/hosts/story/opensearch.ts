import { join } from 'node:path'
import { ensureBuilt } from '../harness/built.ts'
import { must } from '../harness/outer.ts'
import { checkout } from './guide.ts'

const version = '2.19.6'
const packaging = 1
const recipe = [version, packaging] as const

/** Makes the package of OpenSearch from Maven artifacts, once on a machine. */
export async function fetchOpensearch(): Promise<void> {
  await ensureBuilt('opensearch', recipe, async (folder) => {
    await must(['bash', join(checkout, 'test/hosts/opensearch.sh'), folder], { timeoutMs: 900_000 })
  })
}
