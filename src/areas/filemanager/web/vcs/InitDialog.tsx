import { Modal } from '@mantine/core'
import Type from 'typebox'
import { SchemaForm } from '../../../../web/kit/SchemaForm.tsx'
import { InitBody } from '../../vcs/model.ts'
import { carryOut, type Repository, vcsCalls } from '../calls.ts'

const Draft = Type.Object({ branch: InitBody.properties.branch })
const text = { branch: { label: 'First branch', hint: '' } }

interface InitDialogProps {
  readonly repository: Repository
  readonly onClose: () => void
  /** Called when the repository exists and the page shows it. */
  readonly onBegun: () => void
}

/** Creates a repository in a folder. */
export function InitDialog({ repository, onClose, onBegun }: InitDialogProps) {
  const begin = async ({ branch }: { readonly branch: string }) => {
    await carryOut(vcsCalls.init(repository, branch))
    onClose()
    onBegun()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title="Initialise repository"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <SchemaForm
        schema={Draft}
        text={text}
        submitLabel="Initialise"
        reviewOf={({ branch }) => vcsCalls.init(repository, branch)}
        onSubmit={begin}
        onCancel={onClose}
      />
    </Modal>
  )
}
