// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const certificates = client<typeof endpoints>({
  readPanelCertificate: 'GET /settings/panel-certificate',
  orderPanelCertificate: 'POST /settings/panel-certificate',
  deletePanelCertificate: 'DELETE /settings/panel-certificate',
  getCertificate: 'GET /websites/{id}/ssl',
  issueCertificate: 'POST /websites/{id}/ssl',
  deleteCertificate: 'DELETE /websites/{id}/ssl',
  explainCertificate: 'GET /websites/{id}/ssl/explain',
})
