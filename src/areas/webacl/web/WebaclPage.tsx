import { Button, Group, Menu, Select } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { OngoingWork } from '../../../web/kit/OngoingWork.tsx'
import { Page } from '../../../web/kit/Page.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty, Failure, Loading } from '../../../web/kit/states.tsx'
import { readAgain } from '../../../web/queries.ts'
import { useWebsites } from '../../websites/web/queries.ts'
import { webacl } from './api.ts'
import { CountriesNote } from './CountriesNote.tsx'
import { type Asking, WebaclDialog } from './Dialogs.tsx'
import { GroupsCard } from './GroupsCard.tsx'
import { PendingBanner } from './PendingBanner.tsx'
import { useLibrary, useReorder, useRulesets, useScriptModule } from './queries.ts'
import { RulesetCard } from './RulesetCard.tsx'
import { movedTo } from './ruleset-form.ts'
import { TesterCard } from './TesterCard.tsx'

/** The access rules of the owner of a website. */
export function WebaclPage() {
  const { data, error, refetch, isPending } = useWebsites({ per_page: 100, sort: 'domain' })
  const [chosen, choose] = useState<string | null>(null)
  const sites = data?.items ?? []
  const site = sites.find(({ id }) => String(id) === chosen) ?? sites[0]
  return (
    <Page title="Web access control" about="Who may send which requests to websites, decided by nginx.">
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading />}
      {data && site === undefined && (
        <Empty title="No websites yet">Access rules belong to the owner of a website.</Empty>
      )}
      {site && (
        <>
          <Select
            label="Website"
            description={`The rules are those of ${site.username}, for all of their websites`}
            data={sites.map(({ id, domain, username }) => ({
              value: String(id),
              label: `${domain} (${username})`,
            }))}
            value={String(site.id)}
            allowDeselect={false}
            searchable
            maw={480}
            onChange={choose}
          />
          <OwnerRules key={site.id} website={site.id} />
        </>
      )}
    </Page>
  )
}

function OwnerRules({ website }: { readonly website: number }) {
  const { data: module } = useScriptModule()
  const isLoaded = module?.loaded === true
  return (
    <>
      <OngoingWork kind="webacl.install_module" />
      {module && !isLoaded && <ModuleMissing />}
      <PendingBanner website={website} isLoaded={isLoaded} />
      <CountriesNote website={website} />
      <RulesetList website={website} isLoaded={isLoaded} />
      {isLoaded && <TesterCard website={website} />}
      <GroupsCard website={website} />
    </>
  )
}

function RulesetList({ website, isLoaded }: { readonly website: number; readonly isLoaded: boolean }) {
  const { data, error, refetch, isPending } = useRulesets(website)
  const order = useReorder(website)
  const [asking, ask] = useState<Asking>()
  const [dragged, drag] = useState<number>()
  const rulesets = data?.rulesets ?? []
  const ids = rulesets.map(({ id }) => id)
  return (
    <>
      <Group gap="sm">
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => ask({ what: 'create' })}>
          Add a ruleset
        </Button>
        <LibraryMenu website={website} onAsk={ask} />
      </Group>
      {isPending && <Loading />}
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {data && rulesets.length === 0 && (
        <Empty title="No rulesets yet">Add one, or begin with a ready one of the library.</Empty>
      )}
      {rulesets.map((ruleset, index) => (
        <div
          key={ruleset.id}
          onDragOver={(event) => dragged !== undefined && event.preventDefault()}
          onDrop={() => {
            if (dragged !== undefined && dragged !== index) order.mutate(movedTo(ids, dragged, index))
            drag(undefined)
          }}
        >
          <RulesetCard
            website={website}
            ruleset={ruleset}
            count={rulesets.length}
            isBusy={order.isPending}
            isLoaded={isLoaded}
            onDrag={(isDragged) => drag(isDragged ? index : undefined)}
            onMove={(to) => order.mutate(movedTo(ids, index, to))}
            onAsk={ask}
          />
        </div>
      ))}
      {asking && <WebaclDialog asking={asking} website={website} onClose={() => ask(undefined)} />}
    </>
  )
}

interface LibraryMenuProps {
  readonly website: number
  readonly onAsk: (asking: Asking) => void
}

function LibraryMenu({ website, onAsk }: LibraryMenuProps) {
  const { data } = useLibrary(website)
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default">Add from the library</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {data?.templates.map((template) => (
          <Menu.Item key={template.name} onClick={() => onAsk({ what: 'template', template })}>
            {template.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function ModuleMissing() {
  const [isAsking, setAsking] = useState(false)
  return (
    <SectionCard title="Scripting module">
      <Empty
        title="nginx does not load its module for Lua"
        action={
          <Button mt="sm" onClick={() => setAsking(true)}>
            Install the scripting module
          </Button>
        }
      >
        Rules can be edited without it. It is needed to test and to apply them.
      </Empty>
      {isAsking && (
        <ChangeDialog
          title="Install the scripting module"
          confirmLabel="Install"
          call={webacl.installScriptModule()}
          onClose={() => setAsking(false)}
          onDone={() => {
            setAsking(false)
            notify('The scripting module is installed.')
            void readAgain('webacl', 'jobs')
          }}
        />
      )}
    </SectionCard>
  )
}
