import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that the kernel gives to clients and to `listen(0)` (`ip_local_port_range`, from 32768). */
const [first, last] = [20_000, 32_000]

/** Returns different loopback ports on which nothing listens, and which the kernel gives to no one by itself. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = first + Math.floor(Math.random() * (last - first))
    if (await isFree(port)) ports.add(port)
  }
  return [...ports]
}

/** Returns a loopback port on which nothing listens, and which the kernel gives to no one by itself. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1)
  return port
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
