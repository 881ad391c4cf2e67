# Words that several rules name: `@NAME` in the objects of a rule stands for all of them.
#
#   class NAME = words
#
# Words are nouns in the singular; `_` joins words that stand side by side; `~word` is code (see spans.py).

class document = document report spreadsheet presentation deck slide pdf docx pptx xlsx csv tsv json yaml xml workbook worksheet manuscript paper transcript invoice resume contract image picture photo screenshot video audio recording figure plot chart diagram dataset datafile log logfile archive zip export notebook bibliography markdown plist brief memo letter newsletter article essay poster flyer infographic gif animation svg png jpg subtitle caption
class file = file attachment artifact input_file output_file ~data
class config = config configuration settings_file env_file manifest_file
class code = code source codebase source_code repository repo function method class module component script program library implementation test unit_test test_case test_suite fixture endpoint route router handler controller middleware hook reducer service_layer api_route app application feature interface typescript_type schema migration query sql query workflow pipeline dockerfile docker-compose compose_file terraform bicep helm_chart manifest makefile stylesheet css html template_file boilerplate scaffold plugin extension package crate contract smart_contract snippet ~source type signature struct enum trait decorator annotation docstring call_site caller callee bug refactor patch fix harness fuzz_target rule parser wrapper adapter client sdk
class codewritten = @code logic validation error_handling instrumentation logging_statement type_hint page website site landing_page ui frontend backend dashboard web_app mcp_server server tool crud smart_contract
