import { NameTaken, NoSuchPart, OnlyByHand } from '../problems.ts'
import type { Config } from './config.ts'
import { frontendKinds, type FrontendParts } from './frontend-parts.ts'
import { setParts } from './section-parts.ts'
import { appendSection, dropSection, findSection, refuseConditional, type Section } from './sections.ts'
import { encodeToken } from './tokens.ts'

/** Appends a frontend. */
export function addFrontend(config: Config, name: string, parts: Partial<FrontendParts>): Config {
  const taken = findSection(config, ['frontend', 'listen'], name)
  if (taken !== undefined) throw NameTaken(`name: a ${taken.kind} ${name} already exists`)
  return editFrontend(appendSection(config, [`frontend ${encodeToken(name)}`]), name, parts)
}

/** Sets the given parts of a frontend; keeps the statements of all other parts. */
export function editFrontend(config: Config, name: string, parts: Partial<FrontendParts>): Config {
  frontendNamed(config, name) // also where no part is given
  return setParts(config, (current) => frontendNamed(current, name), { kinds: frontendKinds, parts })
}

/** Removes a frontend with its whole section. */
export function removeFrontend(config: Config, name: string): Config {
  const section = frontendNamed(config, name)
  if (section.kind === 'listen')
    throw OnlyByHand(`name: ${name} is a listen section, which is also a backend: edit it as text`)
  return dropSection(config, section)
}

function frontendNamed(config: Config, name: string): Section {
  const section = findSection(config, ['frontend', 'listen'], name)
  if (section === undefined) throw NoSuchPart(`name: there is no frontend ${name}`)
  refuseConditional(config, section.start, `name: the frontend ${name}`)
  return section
}
