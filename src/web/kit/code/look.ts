import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const line = '1px solid var(--panel-line)'

const theme = EditorView.theme({
  '&': { fontSize: '13px', color: 'var(--mantine-color-text)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    lineHeight: '1.6',
    minHeight: '280px',
    maxHeight: 'min(64dvh, 720px)',
    overflow: 'auto',
  },
  '.cm-content': { caretColor: 'var(--mantine-color-text)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--panel-sunken)',
    color: 'var(--mantine-color-dimmed)',
    borderRight: line,
  },
  '.cm-activeLine': { backgroundColor: 'light-dark(#f3f5fd, #23283a)' },
  '.cm-activeLineGutter': {
    backgroundColor: 'light-dark(#e7ebfa, #2a3046)',
    color: 'var(--mantine-color-text)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, .cm-content ::selection':
    {
      backgroundColor: 'light-dark(#d0dafa, #37446f) !important',
    },
  '.cm-matchingBracket': {
    backgroundColor: 'light-dark(#d8f5e0, #24432d) !important',
    outline: '1px solid currentColor',
  },
  '.cm-searchMatch': { backgroundColor: 'light-dark(#fff3bf, #4a3d10)' },
  '.cm-searchMatch-selected': { backgroundColor: 'light-dark(#ffd8a8, #6b4a16)' },
  '.cm-panels': { backgroundColor: 'var(--panel-sunken)', color: 'var(--mantine-color-text)' },
  '.cm-panels-top': { borderBottom: line },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px',
    padding: '8px 36px 8px 10px',
  },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search label': {
    fontSize: '12px',
    display: 'inline-flex',
    alignItems: 'center',
    gap: '4px',
    margin: '0',
  },
  '.cm-panel.cm-search [name=close]': {
    color: 'inherit',
    fontSize: '18px',
    padding: '2px 8px',
    cursor: 'pointer',
  },
  '.cm-textfield': {
    backgroundColor: 'var(--panel-surface)',
    color: 'inherit',
    border: line,
    borderRadius: '6px',
    padding: '4px 8px',
    margin: '0',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--panel-surface)',
    color: 'inherit',
    border: line,
    borderRadius: '6px',
    padding: '3px 8px',
    margin: '0',
    cursor: 'pointer',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--panel-surface)',
    color: 'inherit',
    border: line,
    borderRadius: '8px',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'light-dark(#dbe4ff, #37446f)',
    color: 'inherit',
  },
  '.cm-diagnostic': { maxWidth: '440px', whiteSpace: 'pre-wrap' },
  '.cm-lineWithMessage': { backgroundColor: 'light-dark(#fdecec, #3a1d1f)' },
})

/** Each color keeps a contrast of 4.5 to 1 on every background that a line can have. */
const colours = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.controlKeyword],
    color: 'light-dark(#9c1f88, #f0a6e2)',
  },
  { tag: [tags.heading, tags.strong], fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], textDecoration: 'underline' },
  {
    tag: [
      tags.propertyName,
      tags.attributeName,
      tags.definition(tags.variableName),
      tags.function(tags.variableName),
    ],
    color: 'light-dark(#2b46c0, #a5b8ff)',
  },
  {
    tag: [tags.typeName, tags.className, tags.tagName, tags.namespace],
    color: 'light-dark(#0b6175, #7fdbec)',
    fontWeight: '600',
  },
  {
    tag: [tags.string, tags.special(tags.string), tags.regexp, tags.inserted],
    color: 'light-dark(#1b6b2c, #a3dfae)',
  },
  { tag: [tags.number, tags.bool, tags.atom, tags.null, tags.unit], color: 'light-dark(#8f3d00, #ffc38a)' },
  {
    tag: [tags.comment, tags.meta, tags.processingInstruction],
    color: 'light-dark(#5a626b, #a6abb3)',
    fontStyle: 'italic',
  },
  { tag: [tags.invalid, tags.deleted], color: 'light-dark(#a51d1d, #ff9a9a)' },
])

/** The themes of the editor, light and dark. */
export const look = [theme, syntaxHighlighting(colours)]
