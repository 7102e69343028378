import { useMemo } from 'react'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import type { Offer } from '../../../web/kit/SchemaForm.tsx'
import { Loading } from '../../../web/kit/states.tsx'
import type { ApiError } from '../../../web/wire.ts'
import { type Backend, type Frontend, FrontendDraft, FrontendEdit } from '../model.ts'
import { lbproxy } from './api.ts'
import { useCertificates } from './queries.ts'
import { frontendText, upFront } from './form-text.ts'

interface FrontendFormProps {
  /** The frontend to edit; a new one when absent. */
  readonly frontend?: Frontend
  readonly backends: readonly Backend[]
  readonly onClose: () => void
  readonly done: (text: string) => () => unknown
}

/** The form that creates a frontend or edits its addresses and backends. */
export function FrontendForm({ frontend, backends, onClose, done }: FrontendFormProps) {
  const certificates = useCertificates()
  const text = useMemo(
    () =>
      frontendText(
        backends.map(({ name }) => name),
        (certificates.data ?? []).map(({ domain }) => domain),
      ),
    [backends, certificates.data],
  )
  if (certificates.isPending) return <Loading rows={1} />
  if (frontend)
    return (
      <PlannedForm
        title={`Edit the frontend ${frontend.name}`}
        confirmLabel="Change the frontend"
        schema={FrontendEdit}
        size="xl"
        text={text}
        upFront={upFront.frontend}
        given={frontend}
        sendsOnlyChanges
        offerOf={offerOf}
        callOf={(body) => lbproxy.editFrontend({ params: { name: frontend.name }, body })}
        onClose={onClose}
        onDone={done(`The frontend ${frontend.name} was changed.`)}
      />
    )
  return (
    <PlannedForm
      title="New frontend"
      confirmLabel="Add the frontend"
      schema={FrontendDraft}
      size="xl"
      text={text}
      upFront={upFront.frontend}
      offerOf={offerOf}
      callOf={(body) => lbproxy.createFrontend({ body })}
      onClose={onClose}
      onDone={done('The frontend was added.')}
    />
  )
}

/** The free port that the panel offers where another program holds the wanted one. */
function offerOf({ fields }: ApiError): Offer | undefined {
  const port = fields['free_port']
  return typeof port === 'number' ? { label: `Use port ${port}`, value: port } : undefined
}
