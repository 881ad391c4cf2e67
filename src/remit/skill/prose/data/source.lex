# What sentences tell the agent to do. Four kinds of lines:
#
#   do CAPABILITY [POINTS] : verbs : objects       a verb that is asked for, and what it is done to, later in the clause
#   make CAPABILITY [POINTS] : verbs : objects     the same, but the object follows at once: nothing behind a preposition counts
#                         [: words]               none of which may stand later in the clause: they speak against it
#   none first_last first_last …                   pairs of words that are not what their last word says
#   say CAPABILITY POINTS : phrase | phrase …      words that stand side by side, whatever the verb
#
# Verbs stand in their base form; the reader knows their other forms. Four points are enough alone; fewer are a hint.

none claude_code vs_code qr_code exit_code status_code error_code zip_code country_code currency_code color_code colour_code promo_code access_code authorization_code auth_code verification_code device_code postal_code billing_code cpt_code icd_code language_code airport_code response_code return_code morse_code building_code dress_code discount_code
none loss_function objective_function activation_function reward_function cost_function wave_function lambda_function edge_function cloud_function azure_function distance_function
none package_repository docker_repository image_repository data_repository document_repository knowledge_repository skill_repository artifact_repository preprint_repository
none statistical_test hypothesis_test stress_test ab_test blood_test t_test pressure_test lab_test significance_test diagnostic_test penetration_test usability_test
none build_tool build_script build_pipeline build_server talent_pipeline sales_pipeline
none character_class asset_class drug_class model_class equivalence_class

# Code that is there already: `code` says plainly that it is program text, `part` names a piece of one.
class code = code codebase code_base source_code source_file code_file source_tree existing_code code_change code_diff changed_file the_source repository repo code_path call_site caller header_file html_file project_file ~source
class part = function method module component implementation entry_point import middleware handler endpoint controller route class test_file unit_test existing_test data_flow control_flow call_graph

do source.read 8 : review audit : code code_quality codebase code_base source_code code_change ui_code existing_code
do source.read : read review search analyze analyse inspect grep explore trace audit scan examine study locate map investigate navigate walk look_at look_for look_in look_through skim debug understand research parse cross-reference : @code
make source.read : read analyze analyse inspect grep explore examine study locate navigate walk look_at look_for look_in look_through skim debug understand research : @part
do source.read : find identify check detect verify enumerate profile compare : @code code_path source_project deployment_script pipeline_definition ci_workflow code_pattern
do source.read : review audit trace map scan search investigate : @part
make source.read : find identify detect enumerate profile : function implementation entry_point call_graph
do source.read : scan explore analyze analyse inspect survey inventory understand map : project workspace repository_structure project_layout folder_structure directory_structure code_structure project_tree : notion jira linear
make source.read : detect identify determine discover infer : tech_stack technology_stack language_stack framework package_manager build_system build_tool test_framework test_runner project_type programming_language
do source.read : read review inspect analyze analyse examine scan audit lint check explain document comment refactor : script program class_definition smart_contract solidity contract_code terraform bicep dockerfile schema_file prisma_schema database_schema csproj ~source : ~script ~bundled
do source.read : read inspect quote : header installed_header header_file function_signature prototype : request response http
do source.read : trace follow track : call_chain call_stack execution_path execution_flow import dependency_graph data_flow taint
do source.read 3 : review audit harden : workflow component_architecture architecture component pull_request pr test_coverage
do source.read : skim explore map inspect scan scan_for : relevant_file existing_pattern project_structure existing_convention iac_file terraform_file repo_structure
do source.read 1 : review examine inspect analyze check : change diff pull_request pr test vulnerability dependency pattern
say source.read 4 : in the codebase | existing codebase | your codebase | the codebase | a codebase | existing code | code review | code reviews
say source.read 2 : source code

# Program text that is to be written: `program` is code whatever is done to it, `built` only where it is made.
class program = prisma_schema database_schema graphql_schema orm_model proof_of_concept poc exploit reproducer test_harness stub mock fixture migration sql_query query_builder type_annotation typed_dict docstring jsdoc decorator hook_script shell_script bash_script python_script wrapper_script helper_script semgrep_rule codeql_query yara_rule sigma_rule kubernetes_manifest k8s_manifest compose_file docker_compose_file workflow_yaml ci_workflow ci_config pipeline_definition ansible_playbook playbook code source_code script program function class module component code_comment test unit_test integration_test test_case test_suite test_file failing_test endpoint api_endpoint route router handler controller middleware reducer service_layer frontend backend parser wrapper adapter harness fuzz_target stylesheet css html dockerfile docker-compose terraform bicep helm_chart makefile ~source boilerplate snippet type_hint error_handling smart_contract api_route crud typescript_type type_definition instrumentation mcp_server ci_pipeline github_action github_actions_workflow workflow_file library store animation_logic unit_test_project test_project
class built = app application web_app website web_page landing_page ui user_interface server cli plugin extension library feature tool dashboard pipeline integration project bot agent fix logic validation prototype interface page workflow

make source.write : write create add modify edit refactor fix generate build develop scaffold update rewrite port extend migrate optimize optimise instrument define insert patch customize adapt change replace produce simplify refine restructure improve modernize convert clean_up harden : @program
make source.write : build develop scaffold prototype : @built
make source.write 3 : write add integrate extend : feature integration validation logic fix interface tool plugin extension
make source.write 2 : create generate : app application web_app website plugin extension tool library
make source.write : fix resolve patch : bug code_issue failing_test compile_error type_error lint_error
make source.write : apply : fix patch code_change suggested_fix
do source.write : apply make add insert : ~source code codebase source_code
do source.write : implement reimplement : *

make source.execute : run execute rerun re-run launch : test test_suite unit_test integration_test regression_test script program harness eval_harness ~script ~source benchmark test_command suite app application dev_server simulation experiment training training_job notebook pipeline eval evaluation poc proof_of_concept exploit reproducer demo
make source.execute : train fine-tune : model classifier network : plan
do shell.execute : run execute rerun re-run : ~command command build linter lint type_checker cli build_command
# Rows of verbs without an object: a workflow on code.
say source.execute 4 : run , test | run , and test | build , test | build , run | build and run | build and test | test , debug | compile and run
say source.write 4 : build , modify | modify , run | modify , build | write , test
say source.execute 2 : test suite | tests pass
make source.delete : delete : ~source source_file code_file test_file
