import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import type { Rule, Ruleset, Template } from '../model.ts'
import { webacl } from './api.ts'
import { done } from './queries.ts'
import { ReplayDialog } from './ReplayDialog.tsx'
import {
  bodyOfRule,
  bodyOfRuleset,
  formOfRule,
  formOfRuleset,
  RuleForm,
  RulesetForm,
  rulesetText,
  ruleText,
} from './ruleset-form.ts'

/** What a dialog is open for. */
export type Asking =
  | { readonly what: 'create' }
  | { readonly what: 'template'; readonly template: Template }
  | { readonly what: 'edit' | 'delete' | 'replay' | 'add-rule'; readonly ruleset: Ruleset }
  | { readonly what: 'edit-rule' | 'delete-rule'; readonly rule: Rule }

interface DialogProps {
  readonly website: number
  readonly onClose: () => void
}

const upFront = ['name', 'action', 'block_status', 'url', 'requests', 'hours', 'combine', 'enabled']

/** The dialog that is open. */
export function WebaclDialog({ asking, ...props }: DialogProps & { readonly asking: Asking }) {
  if (asking.what === 'create') return <CreateRuleset {...props} />
  if (asking.what === 'template') return <UseTemplate {...props} template={asking.template} />
  if ('rule' in asking) {
    const Dialog = asking.what === 'edit-rule' ? EditRule : DeleteRule
    return <Dialog {...props} rule={asking.rule} />
  }
  if (asking.what === 'edit') return <EditRuleset {...props} ruleset={asking.ruleset} />
  if (asking.what === 'replay') return <ReplayDialog {...props} ruleset={asking.ruleset} />
  if (asking.what === 'delete') return <DeleteRuleset {...props} ruleset={asking.ruleset} />
  return <AddRule {...props} ruleset={asking.ruleset} />
}

const CreateRuleset = ({ website, onClose }: DialogProps) => (
  <PlannedForm
    title="Add a ruleset"
    confirmLabel="Add"
    schema={RulesetForm}
    text={rulesetText}
    upFront={upFront}
    callOf={(form: RulesetForm) => webacl.createRuleset({ body: bodyOfRuleset(form, website) })}
    onClose={onClose}
    onDone={() => done(onClose, 'The ruleset was added. It takes effect when you apply it.')}
  />
)

function UseTemplate({ website, template, onClose }: DialogProps & { readonly template: Template }) {
  return (
    <ChangeDialog
      title={`Add "${template.name}"`}
      confirmLabel="Add"
      call={webacl.createRuleset({ body: { website_id: website, ...template } })}
      onClose={onClose}
      onDone={() => done(onClose, `${template.name} was added. It takes effect when you apply it.`)}
    />
  )
}

type OfRuleset = DialogProps & { readonly ruleset: Ruleset }

const EditRuleset = ({ website, ruleset, onClose }: OfRuleset) => (
  <PlannedForm
    title={`Edit ${ruleset.name}`}
    confirmLabel="Save"
    schema={RulesetForm}
    text={rulesetText}
    upFront={upFront}
    given={formOfRuleset(ruleset)}
    callOf={(form: Partial<RulesetForm>) =>
      webacl.editRuleset({
        params: { id: ruleset.id },
        body: bodyOfRuleset({ ...formOfRuleset(ruleset), ...form }, website, ruleset.website_ids),
      })
    }
    onClose={onClose}
    onDone={() => done(onClose, `${ruleset.name} was changed.`)}
  />
)

const DeleteRuleset = ({ website, ruleset: { id, name }, onClose }: OfRuleset) => (
  <ChangeDialog
    title={`Delete ${name}`}
    confirmLabel="Delete"
    call={webacl.deleteRuleset({ params: { id }, query: { website_id: website } })}
    onClose={onClose}
    onDone={() => done(onClose, `${name} was deleted. Apply the rules to end its effect.`)}
  />
)

const AddRule = ({ website, ruleset, onClose }: OfRuleset) => (
  <PlannedForm
    title={`Add a rule to ${ruleset.name}`}
    confirmLabel="Add"
    size="xl"
    schema={RuleForm}
    text={ruleText}
    callOf={(form: RuleForm) =>
      webacl.createAccessRule({ params: { id: ruleset.id }, body: bodyOfRule(form, website) })
    }
    onClose={onClose}
    onDone={() => done(onClose, 'The rule was added.')}
  />
)

type OfRule = DialogProps & { readonly rule: Rule }

const EditRule = ({ website, rule, onClose }: OfRule) => (
  <PlannedForm
    title={`Edit ${rule.name}`}
    confirmLabel="Save"
    size="xl"
    schema={RuleForm}
    text={ruleText}
    given={formOfRule(rule)}
    callOf={(form: Partial<RuleForm>) =>
      webacl.editAccessRule({
        params: { id: rule.id },
        body: bodyOfRule({ ...formOfRule(rule), ...form }, website),
      })
    }
    onClose={onClose}
    onDone={() => done(onClose, `${rule.name} was changed.`)}
  />
)

const DeleteRule = ({ website, rule: { id, name }, onClose }: OfRule) => (
  <ChangeDialog
    title={`Delete ${name}`}
    confirmLabel="Delete"
    call={webacl.deleteAccessRule({ params: { id }, query: { website_id: website } })}
    onClose={onClose}
    onDone={() => done(onClose, `${name} was deleted.`)}
  />
)
