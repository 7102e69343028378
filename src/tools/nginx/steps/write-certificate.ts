import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import type { NginxParts } from '../parts.ts'
import { certificatePath } from '../render-tls.ts'

export interface CertificateArgs {
  readonly file: string
  /** The certificate, its chain and its key as PEM; null removes the file. */
  readonly content: string | null
}

/** The step that writes or removes a certificate, which no site names yet or any more. */
export function writeCertificate({
  host: { files },
  layout,
}: Pick<NginxParts, 'host' | 'layout'>): StepKind<CertificateArgs, Was<string>, null> {
  const pathOf = ({ file }: CertificateArgs) => certificatePath(layout, file)
  return stateStep({
    name: 'nginx.write-certificate',
    plan: (args) => ({ title: `${args.content === null ? 'Remove' : 'Write'} ${pathOf(args)}` }),
    read: (args) => files.read(pathOf(args)),
    wanted: ({ content }) => content ?? undefined,
    write: async (args, content) => {
      if (content === undefined) return files.remove(pathOf(args))
      await files.makeDirectory(layout.certificatesDirectory, { mode: 0o700 })
      return files.write(pathOf(args), content, { rights: { mode: 0o600 } })
    },
  })
}
