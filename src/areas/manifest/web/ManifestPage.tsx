import { Button, Checkbox, FileButton, Group } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { CodeEditor } from '../../../web/kit/CodeEditor.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { OnceShownDialog } from '../../../web/kit/OnceShownDialog.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { SettingsTabs } from '../../settings/web/SettingsTabs.tsx'
import type { ManifestApplied } from '../model.ts'
import { ExportForm } from './ExportForm.tsx'
import { PlanCard } from './PlanCard.tsx'
import { planOf, readObjectsAgain } from './queries.ts'

const example = `version: 1
users:
  - email: ada@example.com
    username: ada
    permissions: [websites_management]
websites:
  - domain: www.example.com
    username: ada
    type: static
`

/** A file with users, websites, databases, zones and firewall rules: its plan, its application, and that of this host. */
export function ManifestPage() {
  const [text, setText] = useState(example)
  const [prune, setPrune] = useState(false)
  const [applied, setApplied] = useState<ManifestApplied>()
  const plan = useMutation({ mutationFn: () => planOf({ text, prune }) })
  const edit = (next: string) => {
    setText(next)
    plan.reset()
  }
  const done = async (reply: ManifestApplied) => {
    notify(
      reply.left.length === 0
        ? 'The manifest was applied.'
        : `The manifest was applied, but a server refused a removal: ${reply.left.join('; ')}`,
      reply.left.length > 0,
    )
    plan.reset()
    setApplied(reply)
    await readObjectsAgain()
  }
  return (
    <Page
      title="Manifest"
      about="Users, websites, databases, DNS zones and firewall rules as one file, applied as one change."
      actions={<Sources onText={edit} />}
    >
      <SettingsTabs />
      <SectionCard title="File">
        <CodeEditor label="Manifest" language="yaml" value={text} onChange={edit} />
        <Group justify="space-between" gap="sm">
          <Checkbox
            label="Delete what is not in its sections"
            checked={prune}
            onChange={({ currentTarget }) => {
              setPrune(currentTarget.checked)
              plan.reset()
            }}
          />
          <Button loading={plan.isPending} disabled={text.trim() === ''} onClick={() => plan.mutate()}>
            Review changes
          </Button>
        </Group>
        {plan.error && <Failure error={plan.error} />}
      </SectionCard>
      {plan.data && <PlanCard plan={plan.data} draft={{ text, prune }} onDone={done} />}
      {applied && applied.passwords.length > 0 && (
        <OnceShownDialog
          title="Passwords of new objects"
          label="list of passwords"
          secret={applied.passwords.map(({ object, password }) => `${object}: ${password}`).join('\n')}
          fileName="passwords.txt"
          onClose={() => setApplied(undefined)}
        />
      )}
    </Page>
  )
}

/** Takes a file of the reader into the editor, or hands out that of this host. */
function Sources({ onText }: { readonly onText: (text: string) => void }) {
  const forget = useRef<() => void>(null)
  return (
    <>
      <FileButton
        accept=".yaml,.yml,.json"
        resetRef={forget}
        onChange={(file) => {
          // the same file is chosen again once it is corrected
          forget.current?.()
          void file?.text().then(onText)
        }}
        inputProps={{ 'aria-label': 'Manifest to upload' }}
      >
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
            Upload
          </Button>
        )}
      </FileButton>
      <ExportForm />
    </>
  )
}
