import { fetchPackages } from './harness/deb-repository.ts'
import { fetchOpensearch } from './story/opensearch.ts'
import { fetchMesh } from './story/mesh.ts'
import { fetchMcpClients } from './story/mcp-clients.ts'
import { fetchMongodb } from './story/mongodb.ts'
import { fetchOpenclaw } from './story/openclaw.ts'
import { fetchPebble } from './story/pebble.ts'
import { fetchPm2 } from './story/pm2.ts'
import { fetchSecondPhp } from './story/second-php.ts'
import { fetchVersitygw } from './story/versitygw.ts'

/** Fetches everything that suites need besides the images, where it is missing, so that no suite depends on the network. */
export async function ensureDownloads(): Promise<void> {
  await fetchPackages()
  await fetchSecondPhp()
  await fetchPebble()
  await fetchOpensearch()
  await fetchVersitygw()
  await fetchMongodb()
  await fetchMesh()
  await fetchPm2()
  await fetchMcpClients()
  await fetchOpenclaw()
}
