import type { StepKind, StepRun } from '../../core/change.ts'
import type { Files } from '../../host/files.ts'
import { ariIdOf } from './acme/renewal-info.ts'
import { factsOf } from './pem.ts'
import { renewalOf } from './renewal.ts'

export interface OrderArgs {
  readonly website_id: number
  readonly names: readonly string[]
  readonly directory: string
  /** The file that the certificate is written to, which no site names yet. */
  readonly file: string
  readonly replaces: string | null
}

/** What an issued certificate says, as it is stored. */
export interface OrderResult {
  readonly issuer: string
  readonly not_before: string
  readonly not_after: string
  readonly renew_at: string
  readonly ari_id: string | null
}

interface Ordering {
  readonly files: Files
  readonly directory: string
  readonly pathOf: (file: string) => string
  /** Returns the certificate, its chain and its key as PEM. */
  readonly obtain: (args: OrderArgs, run: StepRun<unknown>) => Promise<string>
}

/** The step that has a certificate authority issue a certificate. */
export function orderStep({
  files,
  directory,
  pathOf,
  obtain,
}: Ordering): StepKind<OrderArgs, null, OrderResult> {
  const read = async ({ file, website_id }: OrderArgs) => {
    const pem = await files.read(pathOf(file))
    return pem === undefined ? undefined : resultOf(pem, website_id)
  }
  return {
    name: 'certificates.order',
    plan: ({ names, directory: authority, file }) => ({
      title: `Order a certificate for ${names.join(', ')}`,
      details: [`${authority} checks that each name leads to this host`, `It is written to ${pathOf(file)}`],
    }),
    observe: async () => null,
    act: async (args, run) => {
      const pem = await obtain(args, run)
      await files.makeDirectory(directory, { mode: 0o700 })
      await files.write(pathOf(args.file), pem, { rights: { mode: 0o600 } })
      return resultOf(pem, args.website_id)
    },
    undo: ({ file }) => files.remove(pathOf(file)),
    check: async (args) => ((await read(args)) === undefined ? 'before' : 'wanted'),
    again: read,
    notUndone: 'a certificate authority has issued the certificate: upload the former one to go back',
  }
}

async function resultOf(pem: string, websiteId: number): Promise<OrderResult> {
  const { issuer, notBefore, notAfter } = factsOf(pem)
  return {
    issuer,
    not_before: notBefore.toISOString(),
    not_after: notAfter.toISOString(),
    renew_at: renewalOf({ notBefore, notAfter }, undefined, String(websiteId)).toISOString(),
    ari_id: await ariIdOf(pem),
  }
}
