// Has clang-tidy look at the declarations of the house alone, and not at a hundred thousand lines
// of library headers, nor at as many that the build writes.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclBase.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/FrontendPluginRegistry.h>

#include <memory>
#include <string>
#include <vector>

namespace {

/// Narrows the tree of one translation unit, before the checks walk through it, to what stands in
/// files that were not found in the system's folders and that the build does not write. Checks
/// still follow names out of it: a call of a library function has its declaration.
class OwnDeclarations : public clang::ASTConsumer {
 public:
  void HandleTranslationUnit(clang::ASTContext& context) override {
    const clang::SourceManager& files = context.getSourceManager();
    std::vector<clang::Decl*> own;
    for (clang::Decl* const one : context.getTranslationUnitDecl()->decls()) {
      const clang::SourceLocation place = files.getExpansionLoc(one->getLocation());
      if (place.isInvalid() || files.isInSystemHeader(place)) continue;
      if (!files.getFilename(place).contains("/build-tidy/")) own.push_back(one);
    }
    context.setTraversalScope(own);
  }
};

/// clang runs it by itself, before the checks, wherever the library is loaded.
class NarrowToOwn : public clang::PluginASTAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& /*compiler*/,
                                                        llvm::StringRef /*file*/) override {
    return std::make_unique<OwnDeclarations>();
  }
  bool ParseArgs(const clang::CompilerInstance& /*compiler*/,
                 const std::vector<std::string>& /*given*/) override {
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<NarrowToOwn> registered{"talla-own",
                                                                 "looks at the house alone"};

}  // namespace
