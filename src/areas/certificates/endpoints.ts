import { type Deciding, failures, local } from '../../core/endpoint.ts'
import { superuser } from '../../core/guard.ts'
import { accepted, data, succeeded } from '../../core/reply.ts'
import { loadWebsite, notServed, WebsitePath } from '../websites/index.ts'
import * as certificates from './certificates.ts'
import { type Context, endpoint } from './context.ts'
import { explain } from './explain.ts'
import { issuing } from './issue.ts'
import {
  CertificateExplanation,
  CertificateIssue,
  CertificateStatus,
  PanelCertificateOrder,
  PanelCertificateStatus,
} from './model.ts'
import { orderingPanel } from './panel/ordering.ts'
import * as ofPanel from './panel/panel-certificate.ts'
import {
  CertificateRefused,
  IssuingAlready,
  NameRefused,
  NoCertificate,
  NoPanelCertificate,
  OrderFailed,
  PanelOrderingAlready,
} from './problems.ts'

interface OfWebsite {
  readonly params: { readonly id: number }
}

const load = ({
  params,
  caller,
  certificates: { websites },
}: Pick<Deciding, 'caller'> & Context & OfWebsite) => loadWebsite(websites, params.id, caller)

const ofWebsite = endpoint.with({
  base: '/websites',
  params: WebsitePath,
  target: load,
})

export const getCertificate = ofWebsite({
  method: 'GET',
  path: '/{id}/ssl',
  summary: 'Read the certificate of a website, its next renewal and the last failure',
  effect: 'reads',
  reply: data(CertificateStatus),
  run: ({ target, now, certificates: on }) => certificates.statusOf(on, target, now),
})

export const issueCertificate = ofWebsite({
  method: 'POST',
  path: '/{id}/ssl',
  summary: 'Issue a certificate by ACME, upload one, or make a self-signed one, and serve it',
  effect: 'changes',
  category: 'ssl',
  body: CertificateIssue,
  reply: accepted(issuing),
  throws: failures(
    { bad_request: [CertificateRefused, NameRefused], conflict: IssuingAlready, acme_failed: OrderFailed },
    notServed,
  ),
  run: ({ target, body }) => ({ website_id: target.id, ...body }),
})

export const deleteCertificate = ofWebsite({
  method: 'DELETE',
  path: '/{id}/ssl',
  summary: 'Remove the certificate of a website, which is then served over http alone',
  effect: 'destroys',
  category: 'ssl',
  reply: succeeded,
  throws: failures({ not_found: NoCertificate }, notServed),
  run: ({ target, now, certificates: on }) => certificates.deleteCertificate(on, target, now),
})

export const explainCertificate = ofWebsite({
  method: 'GET',
  path: '/{id}/ssl/explain',
  summary:
    'Check why an authority would refuse: names, port 80, the challenge and CAA; and the chain of an upload',
  effect: 'reads',
  reply: data(CertificateExplanation),
  run: ({ target, signal, certificates: on }) => explain(on, target, signal),
})

const panelEndpoint = endpoint.with({ base: '/settings', guard: superuser })
const ofThisPanel = local('each panel has a name and a certificate of its own')

export const readPanelCertificate = panelEndpoint({
  method: 'GET',
  path: '/panel-certificate',
  summary: 'Read the certificate that the panel serves, its next renewal and the last failure',
  effect: 'reads',
  reply: data(PanelCertificateStatus),
  run: ({ certificates: on }) => ofPanel.panelCertificateStatus(on),
})

export const orderPanelCertificate = panelEndpoint({
  method: 'POST',
  path: '/panel-certificate',
  summary: 'Order a certificate for the name of the panel by ACME, and serve the panel with it',
  description:
    'The authority looks for the answer to its challenge at port 80 of the name, where the web server of this host answers. The panel serves the new certificate without a restart, for the key pair that it has, and renews it. The former one stays if the order fails.',
  effect: 'changes',
  category: ofThisPanel,
  body: PanelCertificateOrder,
  reply: accepted(orderingPanel),
  throws: failures({ conflict: PanelOrderingAlready, acme_failed: OrderFailed }, notServed),
  run: ({ body }) => body,
})

export const deletePanelCertificate = panelEndpoint({
  method: 'DELETE',
  path: '/panel-certificate',
  summary: "Stop renewing the panel's certificate, and serve a self-signed one of the same key",
  description: 'An order that failed is forgotten, and the firewall no longer keeps port 80 open for it.',
  effect: 'destroys',
  category: ofThisPanel,
  reply: succeeded,
  throws: failures({ not_found: NoPanelCertificate }),
  run: ({ now, certificates: on }) => ofPanel.deletePanelCertificate(on, now),
})
