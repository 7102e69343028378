import type { Server, ServerEdit } from '../model.ts'

/** The part of a server that each change of it says anew; what is absent beside it stays as it is. */
export function plainBody({ name, address, port, weight, ssl, backup, check }: Server) {
  return {
    name,
    address,
    ...(port !== null && { port }),
    ...(weight !== null && { weight }),
    ssl,
    backup,
    check,
  }
}

/** What a form makes of a server, without the finer settings that are as they were: the page may not know how to write them. */
export function changedBody(server: Server, body: Partial<ServerEdit>): Partial<ServerEdit> {
  const shown: Readonly<Record<string, unknown>> = server
  const plain = plainBody({ ...server, port: 1, weight: 1 })
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => name in plain || value !== (shown[name] ?? null)),
  )
}
