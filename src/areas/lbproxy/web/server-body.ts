import type { Server, ServerEdit } from '../model.ts'

/** The fields that every update of a server must repeat; omitted fields keep their values. */
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

/**
 * Builds the body of an update without the unchanged advanced settings, which the page may not be able to
 * express.
 */
export function changedBody(server: Server, body: Partial<ServerEdit>): Partial<ServerEdit> {
  const shown: Readonly<Record<string, unknown>> = server
  const plain = plainBody({ ...server, port: 1, weight: 1 })
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => name in plain || value !== (shown[name] ?? null)),
  )
}
