import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Host, Panel } from '../harness/index.ts'

/** This checkout, whose guides are tested. */
export const checkout = join(import.meta.dirname, '../../..')

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The text of every block that is fenced as `sh`. */
export function shellBlocks(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1] ?? '')
}

/** Runs the blocks in one shell, as if they were pasted; the first command that fails ends it. */
export async function runAll(
  host: Host,
  panel: Panel,
  blocks: readonly string[],
  timeoutMs = 300_000,
): Promise<string> {
  await writeFile(join(host.rootPath, 'root/pasted.sh'), blocks.join('\n'))
  const {
    HOSTREEVE_ADMIN_EMAIL: EMAIL,
    HOSTREEVE_ADMIN_PASSWORD: PASSWORD,
    HOSTREEVE_DATA_DIR,
    HOSTREEVE_PORT: port,
  } = panel.environment
  const BASE = `http://127.0.0.1:${port}`
  const env = {
    CHECKOUT: '/opt/hostreeve',
    BASE,
    PANEL: BASE,
    EMAIL,
    PASSWORD,
    HOSTREEVE_DATA_DIR,
    PATH: `/opt/hostreeve/node_modules/.bin:${path}`,
  }
  const { stdout } = await host.must(['bash', '-e', '-o', 'pipefail', '/root/pasted.sh'], {
    env,
    timeoutMs,
  })
  return stdout
}
