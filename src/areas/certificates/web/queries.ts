import { useMutation, useQuery } from '@tanstack/react-query'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import { websites } from '../../websites/web/api.ts'
import type { CertificateIssue, PanelCertificateOrder } from '../model.ts'
import { certificates } from './api.ts'

/** GET /websites/{id}/ssl */
export const useCertificate = (id: number) =>
  useQuery({
    queryKey: ['websites', id, 'ssl'],
    queryFn: ({ signal }) => run(certificates.getCertificate({ params: { id } }), signal),
  })

/** GET /websites/{id}/ssl/explain, when it is asked for */
export const useExplain = (id: number) =>
  useMutation({ mutationFn: () => run(certificates.explainCertificate({ params: { id } })) })

/** POST /websites/{id}/ssl */
export const useIssue = (id: number) =>
  useMutation({
    mutationFn: (body: CertificateIssue) => run(certificates.issueCertificate({ params: { id }, body })),
    onSettled: () => readAgain('websites'),
  })

/** PATCH /websites/{id} */
export const useTlsFields = (id: number) =>
  useMutation({
    mutationFn: (body: { https_redirect?: boolean; hsts?: boolean }) =>
      run(websites.editWebsite({ params: { id }, body })),
    onSettled: () => readAgain('websites'),
  })

/** GET /settings/panel-certificate */
export const usePanelCertificate = () =>
  useQuery({
    queryKey: ['panel-certificate'],
    queryFn: ({ signal }) => run(certificates.readPanelCertificate(), signal),
  })

/** POST /settings/panel-certificate */
export const useOrderForPanel = () =>
  useMutation({
    mutationFn: (body: PanelCertificateOrder) => run(certificates.orderPanelCertificate({ body })),
    onSettled: () => readAgain('jobs'),
  })
