import { Box } from '@mantine/core'
import { run } from '../../../web/client.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Hardening, type HardeningEdit, type WordPress } from '../model.ts'
import { wordpress } from './api.ts'
import { readWordPressAgain } from './queries.ts'

const text = {
  no_php_in_uploads: { label: 'No PHP in uploads' },
  no_file_editing: { label: 'No file editing' },
  no_xmlrpc: { label: 'XML-RPC off' },
  limited_sign_ins: { label: 'Limit sign-ins' },
}

/** How a WordPress is protected. */
export function HardeningForm({ found }: { readonly found: WordPress }) {
  const callOf = (body: HardeningEdit) =>
    wordpress.hardenWordPress({ params: { id: found.website_id }, body })
  const save = async (edit: HardeningEdit) => {
    await run(callOf(edit)).finally(() => readWordPressAgain())
    notify('The protection was saved.')
  }
  return (
    <Box pt="md">
      <SectionCard title="Protection">
        <SchemaForm
          key={JSON.stringify(found.hardening)}
          schema={Hardening}
          text={text}
          given={found.hardening}
          sendsOnlyChanges
          submitLabel="Save"
          reviewOf={callOf}
          onSubmit={save}
        />
      </SectionCard>
    </Box>
  )
}
