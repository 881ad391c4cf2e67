# Words that several rules name: `@NAME` in the objects of a rule stands for all of them.
#
#   class NAME = words
#
# Words are nouns in the singular; `_` joins words that stand side by side; `~word` is code (see spans.py).

class document = document report spreadsheet presentation deck slide pdf docx pptx xlsx csv tsv json yaml xml workbook worksheet manuscript paper transcript invoice resume contract image picture photo screenshot video audio recording figure plot chart diagram dataset datafile log logfile archive zip export notebook bibliography markdown plist brief memo letter newsletter article essay poster flyer infographic gif animation svg png jpg subtitle caption
class file = file attachment artifact input_file output_file ~data
class config = config configuration settings_file env_file manifest_file
