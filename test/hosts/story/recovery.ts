import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Panel } from '../harness/index.ts'
import { checkout, runAll, shellBlocks } from './guide.ts'

/** Runs one of the blocks of the guide on recovery at the host of a panel; returns what it wrote. */
export async function followRecovery(
  panel: Panel,
  block: 0 | 1 | 2,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/recovery.md'), 'utf8'))
  assert.equal(blocks.length, 3)
  const assigned = Object.entries(variables).map(([name, value]) => `${name}='${value}'\n`)
  const earlier = /^api\(\).*\n/m.exec(blocks[0] ?? '')?.[0] ?? assert.fail('the guide has no api()')
  return runAll(panel.host, panel, [...assigned, earlier, blocks[block] ?? ''])
}
