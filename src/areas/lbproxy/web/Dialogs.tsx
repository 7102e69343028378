import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { readAgain } from '../../../web/queries.ts'
import type { Backend, Frontend, Server } from '../model.ts'
import { BackendDraft, BackendEdit, DuplicateDraft, ServerDraft, ServerEdit } from '../model.ts'
import { FrontendForm } from './FrontendForm.tsx'
import { lbproxy } from './api.ts'
import { changedBody } from './server-body.ts'
import { backendText, duplicateText, serverText, upFront } from './form-text.ts'

/** The action that the reader has chosen. */
export type Asking =
  | { readonly what: 'add-frontend' }
  | { readonly what: 'add-backend' }
  | { readonly what: 'edit-frontend'; readonly frontend: Frontend }
  | { readonly what: 'remove-frontend' | 'remove-backend'; readonly name: string }
  | { readonly what: 'edit-backend'; readonly backend: Backend }
  | { readonly what: 'duplicate-backend'; readonly backend: Backend }
  | { readonly what: 'add-server'; readonly backend: string }
  | { readonly what: 'edit-server'; readonly backend: string; readonly server: Server }
  | { readonly what: 'remove-server'; readonly backend: string; readonly server: string }

interface DialogsProps {
  readonly asking: Asking
  readonly backends: readonly Backend[]
  readonly onClose: () => void
}

const notTheState = ['state']

/** The dialog of the chosen action; each shows the change before it is made. */
export function Dialogs({ asking, backends, onClose }: DialogsProps) {
  const done = (text: string) => () => {
    onClose()
    notify(text)
    return readAgain('lbproxy')
  }
  const same = { onClose }
  if (asking.what === 'add-frontend' || asking.what === 'edit-frontend')
    return (
      <FrontendForm
        {...same}
        backends={backends}
        {...('frontend' in asking && { frontend: asking.frontend })}
        done={done}
      />
    )
  if (asking.what === 'add-backend')
    return (
      <PlannedForm
        {...same}
        title="New backend"
        confirmLabel="Add the backend"
        schema={BackendDraft}
        text={backendText}
        upFront={upFront.backend}
        callOf={(body) => lbproxy.createBackend({ body })}
        onDone={done('The backend was added.')}
      />
    )
  if (asking.what === 'edit-backend')
    return (
      <PlannedForm
        {...same}
        title={`Edit the backend ${asking.backend.name}`}
        confirmLabel="Change the backend"
        schema={BackendEdit}
        text={backendText}
        upFront={upFront.backend}
        given={asking.backend}
        sendsOnlyChanges
        callOf={(body) => lbproxy.editBackend({ params: { name: asking.backend.name }, body })}
        onDone={done(`The backend ${asking.backend.name} was changed.`)}
      />
    )
  if (asking.what === 'duplicate-backend')
    return (
      <PlannedForm
        {...same}
        title={`Duplicate the backend ${asking.backend.name}`}
        confirmLabel="Duplicate it"
        schema={DuplicateDraft}
        except={['source']}
        text={duplicateText(asking.backend)}
        callOf={(body) => lbproxy.duplicateBackend({ body: { ...body, source: asking.backend.name } })}
        onDone={done('The copy was added.')}
      />
    )
  if (asking.what === 'add-server')
    return (
      <PlannedForm
        {...same}
        title={`New server of ${asking.backend}`}
        confirmLabel="Add the server"
        schema={ServerDraft}
        text={serverText}
        upFront={upFront.server}
        callOf={(body) => lbproxy.createServer({ params: { name: asking.backend }, body })}
        onDone={done('The server was added.')}
      />
    )
  if (asking.what === 'edit-server')
    return (
      <PlannedForm
        {...same}
        title={`Edit the server ${asking.server.name}`}
        confirmLabel="Change the server"
        schema={ServerEdit}
        except={notTheState}
        text={serverText}
        upFront={upFront.server}
        given={asking.server}
        callOf={(body) =>
          lbproxy.replaceServer({
            params: { name: asking.backend, server: asking.server.name },
            body: changedBody(asking.server, body),
          })
        }
        onDone={done('The server was changed.')}
      />
    )
  return <RemoveDialog asking={asking} onClose={onClose} done={done} />
}

interface RemoveProps {
  readonly asking: Extract<Asking, { readonly what: `remove-${string}` }>
  readonly onClose: () => void
  readonly done: (text: string) => () => unknown
}

function RemoveDialog({ asking, onClose, done }: RemoveProps) {
  const [kind, name, call] =
    asking.what === 'remove-server'
      ? [
          'server',
          asking.server,
          lbproxy.deleteServer({ params: { name: asking.backend, server: asking.server } }),
        ]
      : asking.what === 'remove-backend'
        ? ['backend', asking.name, lbproxy.deleteBackend({ params: { name: asking.name } })]
        : ['frontend', asking.name, lbproxy.deleteFrontend({ params: { name: asking.name } })]
  return (
    <ChangeDialog
      title={`Delete the ${kind} ${name}`}
      confirmLabel={`Delete the ${kind}`}
      call={call}
      onClose={onClose}
      onDone={done(`The ${kind} ${name} was deleted.`)}
    />
  )
}
