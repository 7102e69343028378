import type { Server } from '../model.ts'

/** The part of a server that each change of it says anew; what is absent beside it stays as it is. */
export function plainBody({
  name,
  address,
  port,
  weight,
  ssl,
  backup,
  check,
}: Server): Readonly<Record<string, unknown>> {
  return { name, address, port, ...(weight !== null && { weight }), ssl, backup, check }
}

/** What a form makes of a server, without the finer settings that are as they were: the page may not know how to write them. */
export function changedBody(
  server: Server,
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const shown: Readonly<Record<string, unknown>> = server
  const plain = plainBody({ ...server, weight: 1 })
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => name in plain || value !== (shown[name] ?? null)),
  )
}
