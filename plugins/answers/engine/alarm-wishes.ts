/** Defines indirect ways of saying that one wants to die or to hurt oneself. For the form of the texts, see alarm.ts. */
import { any } from './alarm-text.ts';

/** Matches such statements, which need not contain a word for death. */
export const WISHES_END = any(
  "\\b(?:won't|wont|will not|not|n't) be (?:here|around|alive|a problem) (?:tomorrow|any ?more|any ?longer|next|for)\\b|\\bgone by (?:tomorrow|morning)\\b",
  '\\b(?:my|our|his|her) (?:last|final) (?:night|day|evening|meal|hours?|goodbyes?|letter)\\b',
  '\\b(?:wrote|writing|left|leaving) (?:a|my|the|his|her) (?:suicide |goodbye )?(?:note|letter|will)\\b|\\b(?:said|saying|texted|sent)\\b[^.?!]{0,15}\\bgoodbyes?\\b',
  "\\b(?:painless|peaceful(?:ly)?|quick|easy|gentle|quiet)\\b[^.?!]{0,30}\\b(?:way out|exit|end|death|die|go|dying|im done|i'm done)\\b",
  '\\b(?:done|finished|had enough|tired|sick) (?:with|of) (?:life|living|everything|being alive|existing|this world|it all|breathing|being here)\\b',
  "\\b(?:don't|dont|do not|can't|cant|cannot) (?:see|imagine|find|picture)(?: \\w+){0,3} (?:future|way forward|tomorrow|way out)\\b|\\b(?:don't|dont|do not|can't|cant|cannot|no) (?:see|find|have|want)?(?: \\w+){0,3} (?:reason|point)\\b(?=[^?]*\\b(?:live|living|life|go on|going on|wake|exist|be here)\\b)",
  "\\b(?:just |simply )?(?:didn't|didnt|don't|dont|not) exist\\b(?=[^?]*\\b(?:i|me)\\b|$)|\\bi (?:just |simply )?(?:didn't|didnt|don't|dont) exist\\b|\\b(?:written|wrote|writing|said) (?:\\w+ ){0,2}goodbyes?\\b|\\b(?:standing|sitting|stood) on (?:the|a) (?:bridge|ledge|roof|edge)\\b|\\brazor ?blades?\\b|\\bcuts on (?:her|his|my|their) (?:arms?|thighs?|wrists?|legs?)\\b",
  '\\b(?:burning|scratching|slitting|slashing|slicing|carving|punching|cutting|picking) (?:\\w+ )?(?:my|his|her) (?:arms?|wrists?|thighs?|legs?|skin|self)\\b',
  '\\b(?:in front of|under) (?:a |the )?(?:train|bus|lorry|truck|car|tube)\\b|\\b(?:jump(?:ing)?|step(?:ping)?|throw\\w* (?:my|him|her)self) (?:off|from)\\b|\\b(?:noose|rope|razor|gun|shotgun)\\b[^.?!]{0,40}\\b(?:i|my|ready|tonight|he|she)\\b',
  '\\bvoices\\b[^.?!]{0,15}\\b(?:tell|say|want|command|order)\\w*\\b',
  '\\b(?:swallow|take|taking|took|down|neck|overdose on) (?:everything|the lot|every ?thing|all of it|the whole cupboard)\\b(?=[^?]*\\b(?:cupboard|cabinet|drawer|house|got|me|once)\\b)',
  '\\b(?:sav(?:ing|ed)|stockpil\\w+|hoard\\w*|collect(?:ing|ed)|stash\\w*) (?:up )?(?:my |his |her |all |the )?(?:pills?|tablets?|meds|medicines?|medx|sleeping)\\b',
  '\\b(?:a |such a |just a )burden (?:to|on)\\b|\\bworld (?:is |would be )?better without me\\b|\\bout of this (?:world|life)\\b|\\bno (?:way out|hope left|one left)\\b',
  "\\b(?:hate|hates|hating) (?:being alive|living|my life|existing)\\b|\\b(?:wish|hope|hoping|pray)\\b[^.?!]{0,20}\\b(?:never|not|don't|dont|didn't|didnt) (?:wake|woke|woken|been born|born)\\b",
);
