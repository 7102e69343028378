import { contribution } from '../../core/point.ts'
import { siteParts } from '../websites/index.ts'
import type { Certificates } from './context.ts'
import { covers } from './pem.ts'
import { certificateFailures, websiteCertificates } from './store.ts'

/** A certificate goes with its website to another domain that it covers. */
export const certificatesOfWebsites = ({ queries }: Certificates) =>
  contribution(siteParts, {
    deleted: async () => ({}), // rows go with that of the website, and the file with its site
    suspended: async () => [],
    moved: async ({ id }, { domain }) => {
      const [row, failure] = [await queries.certificate(id), await queries.failure(id)]
      if (row === undefined) return {}
      const { names } = websiteCertificates.show(row)
      if (covers(names, domain)) return {}
      return {
        dropsCertificate: true,
        details: [
          `The certificate does not cover ${domain}: it is removed, and the website is served over http until there is another`,
        ],
        rows: [
          websiteCertificates.delete({ website_id: id }),
          ...(failure === undefined ? [] : [certificateFailures.delete({ website_id: id })]),
        ],
      }
    },
  })
